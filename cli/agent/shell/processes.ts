import { readdirSync, readFileSync } from 'node:fs';
import { killAfterMs } from './program.ts';

/** A line of the kernel's table of processes, of what shells need. */
interface Process {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** The number of its terminal, 0 for none. */
  terminal: number;
  /** The group in the foreground of that terminal. */
  foreground: number;
}

/** One process; undefined when it is gone. */
export function processOf(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Its name, in parentheses, may hold anything.
    const [, parent = 0, group = 0, session = 0, terminal = 0, foreground = 0] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ', 6)
      .map(Number);
    return { pid, parent, group, session, terminal, foreground };
  } catch {
    return undefined;
  }
}

/** All of them; takes 2 to 3 ms where there are some hundred. */
function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
}

/** The one child of a process; 0 where there is none. What was never started has the number 0, as the parent of `init` has. */
export const onlyChildOf = (parent: number): number =>
  parent === 0 ? 0 : (processes().find((each) => each.parent === parent)?.pid ?? 0);

/** To a process, or to a group by its negated number; one that is gone gets nothing. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nobody is left.
  }
}

/** To the session of a shell that runs: its own group and the one in the foreground; with `isAll` to every process of it. */
export function signalSession(leader: number, signal: NodeJS.Signals, isAll: boolean): void {
  // One that has just been started leads no group yet.
  sendSignal(leader, signal);
  const groups = new Set([leader]);
  const foreground = processOf(leader)?.foreground ?? 0;
  if (foreground > 1) groups.add(foreground);
  if (isAll) for (const { group } of membersOf(leader)) groups.add(group);
  for (const group of groups) sendSignal(-group, signal);
}

/** Ends what a shell that ended by itself left in its session. */
export function endLeftovers(leader: number): void {
  const left = membersOf(leader);
  for (const { pid } of left) sendSignal(pid, 'SIGHUP');
  const killer = setTimeout(() => {
    // While one of them is left, the number of the session is nobody else's.
    if (!left.some(({ pid }) => processOf(pid)?.session === leader)) return;
    for (const { pid } of membersOf(leader)) sendSignal(pid, 'SIGKILL');
  }, killAfterMs);
  killer.unref();
}

const membersOf = (leader: number) => processes().filter(({ session }) => session === leader);
