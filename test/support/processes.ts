import { readFileSync } from 'node:fs';

/** A zombie does not run. */
export function isRunning(pid: number): boolean {
  const state = /^State:\s+(\w)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return state !== undefined && state !== 'Z';
}

/** What a process has written, to its terminal or elsewhere. */
export const bytesWritten = (pid: number) => Number(/^wchar: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? -1);

/** What this process holds in memory. */
export const residentBytes = () => process.memoryUsage().rss;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
