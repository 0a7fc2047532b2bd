import { readFile } from 'node:fs/promises';

/** USER_HZ, which the kernel promises to user space whatever its own tick is. */
const ticksPerSecond = 100;

/** What one process has used so far. */
export interface Usage {
  /** User and system time of all its threads, those that ended too; steps of 10 ms. */
  cpuMs: number;
  /** Resident memory in MB (10^6 bytes). */
  rssMb: number;
}

/** CPU and memory of a process by its id. Linux only: it reads /proc. */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  return { cpuMs: cpuMsOfStat(stat), rssMb: rssMbOfStatus(status) };
}

/** utime + stime, fields 14 and 15. The name, field 2, may hold spaces and brackets: counting begins behind its last bracket. */
export function cpuMsOfStat(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (!Number.isFinite(ticks)) throw new Error('not a /proc/<pid>/stat line');
  return (ticks * 1000) / ticksPerSecond;
}

/** VmRSS of /proc/<pid>/status, which is given in KiB. */
export function rssMbOfStatus(status: string): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (!found) throw new Error('not a /proc/<pid>/status text');
  return (Number(found[1]) * 1024) / 1e6;
}
