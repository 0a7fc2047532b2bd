import { readFile } from 'node:fs/promises';

/** Names one process for good: its id alone goes to another one some day, on a robot that starts alike after each boot even soon. */
export interface ProcessMark {
  pid: number;
  /** The boot and the clock tick in it at which it started; undefined where there is no /proc. */
  started: string | undefined;
}

export async function thisProcess(): Promise<ProcessMark> {
  return { pid: process.pid, started: (await statusOf('self'))?.started };
}

/** Of a child that lives or has just ended. */
export const markOf = async (pid: number): Promise<ProcessMark> => ({
  pid,
  started: (await statusOf(String(pid)))?.started,
});

/** False if it ended, or if its id is another process's by now. A process of another user counts as alive. */
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

/** Undefined where /proc is missing, or hides the process from this user. */
async function statusOf(pid: string): Promise<{ started: string; isDead: boolean } | undefined> {
  const [boot, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
  ]);
  // "pid (name) state …": the name may hold spaces and brackets. The start is the 22nd field, the 20th behind the name.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (state === undefined || ticks === undefined) return undefined;
  // A zombie runs nothing any more; its parent only did not ask yet how it ended.
  return { started: `${boot.trim()} ${ticks}`, isDead: state === 'Z' || state === 'X' };
}
