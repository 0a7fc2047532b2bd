import { readFile } from 'node:fs/promises';

/**
 * Identifies one process permanently: a pid is reused some day, and soon on a robot that starts the same way after each
 * boot.
 */
export interface ProcessMark {
  pid: number;
  /** The boot and the clock tick at which it started; undefined without /proc. */
  started: string | undefined;
}

export async function thisProcess(): Promise<ProcessMark> {
  return { pid: process.pid, started: (await statusOf('self'))?.started };
}

/** For a child that is alive or has just ended. */
export const markOf = async (pid: number): Promise<ProcessMark> => ({
  pid,
  started: (await statusOf(String(pid)))?.started,
});

/** False if it ended, or if another process has its pid by now. A process of another user counts as alive. */
export async function isAlive({ pid, started }: ProcessMark): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = await statusOf(String(pid));
  if (now === undefined) return true;
  return !now.isDead && (started === undefined || started === now.started);
}

/** Undefined if /proc is missing, or hides the process from this user. */
async function statusOf(pid: string): Promise<{ started: string; isDead: boolean } | undefined> {
  const [boot, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
  ]);
  // "pid (name) state …": the name may contain spaces and brackets. The start is the 22nd field, the 20th after the
  // name.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (state === undefined || ticks === undefined) return undefined;
  // A zombie no longer runs; its parent has only not read its exit status yet.
  return { started: `${boot.trim()} ${ticks}`, isDead: state === 'Z' || state === 'X' };
}
