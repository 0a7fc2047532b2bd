import { readdir, readFile } from 'node:fs/promises';
import { usageOf } from './proc.ts';

/** CPU in ms that the backends of a database have used so far, those that are connected now: their titles name it. Linux only. */
export async function backendCpuMs(url: string): Promise<number> {
  const database = new URL(url).pathname.slice(1);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const used = await Promise.all(
    pids.map(async (pid) => {
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (!title.startsWith('postgres: ') || !title.includes(` ${database} `)) return 0;
      return (await usageOf(Number(pid)).catch(() => ({ cpuMs: 0 }))).cpuMs;
    }),
  );
  return used.reduce((total, cpuMs) => total + cpuMs, 0);
}
