import { readFile } from 'node:fs/promises';
import { until } from './until.ts';

/** Each frame writes more than that; what a process tells itself is less. */
const frameBytes = 1_000;
const someTicks = 50;

const tickOf = async (pid: number) => Number(/^tick (\d+)/.exec(await readFile(`/proc/${pid}/comm`, 'utf8'))?.[1]);

async function writtenBytes(pid: number): Promise<number> {
  return Number(/^wchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** Resolves when the model of the program goes on, and nothing of that reaches its terminal: what the system holds for it is full. */
export const untilFull = (pid: number): Promise<void> =>
  until(async () => {
    const [tick, written] = [await tickOf(pid), await writtenBytes(pid)];
    await until(async () => (await tickOf(pid)) > tick + someTicks);
    return (await writtenBytes(pid)) - written < frameBytes;
  });
