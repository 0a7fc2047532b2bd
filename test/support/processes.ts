import { readdirSync, readFileSync } from 'node:fs';

/** A zombie does not run. */
export function isRunning(pid: number): boolean {
  const state = /^State:\s+(\w)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return state !== undefined && state !== 'Z';
}

export interface Process {
  pid: number;
  parent: number;
  /** Its command line, separated by spaces. */
  args: string;
}

/** Every running process of this machine, read from /proc: a plain Debian has no `ps`. */
export const runningProcesses = (): Process[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRunning(Number(name)))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${name}/status`))?.[1]),
      args: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim(),
    }));

/** Bytes that a process has written, to its terminal or elsewhere. */
export const bytesWritten = (pid: number) => Number(/^wchar: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? -1);

/** Resident memory of this process. */
export const residentBytes = () => process.memoryUsage().rss;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
