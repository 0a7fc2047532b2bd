import { readdirSync, readFileSync } from 'node:fs';
import { killAfterMs } from './program.ts';

/** The fields that shells need of an entry in the kernel's process table. */
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

/** One process; undefined when it no longer exists. */
export function processOf(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold any character.
    const [, parent = 0, group = 0, session = 0, terminal = 0, foreground = 0] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ', 6)
      .map(Number);
    return { pid, parent, group, session, terminal, foreground };
  } catch {
    return undefined;
  }
}

/** All processes; takes 2 to 3 ms for a few hundred. */
function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
}

/**
 * The only child of a process; 0 if it has none. A process that was never started has the pid 0, like the parent of
 * `init`.
 */
export const onlyChildOf = (parent: number): number =>
  parent === 0 ? 0 : (processes().find((each) => each.parent === parent)?.pid ?? 0);

/** Signals a process, or a group by its negated id; does nothing when it no longer exists. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // No process is left.
  }
}

/**
 * Signals the session of a running shell: its own group and the foreground group; with `isAll`, every process of it.
 */
export function signalSession(leader: number, signal: NodeJS.Signals, isAll: boolean): void {
  // A process that has just started does not lead a group yet.
  sendSignal(leader, signal);
  const groups = new Set([leader]);
  const foreground = processOf(leader)?.foreground ?? 0;
  if (foreground > 1) groups.add(foreground);
  if (isAll) for (const { group } of membersOf(leader)) groups.add(group);
  for (const group of groups) sendSignal(-group, signal);
}

/** Ends the processes that remain in the session of a shell that ended by itself. */
export function endLeftovers(leader: number): void {
  const left = membersOf(leader);
  for (const { pid } of left) sendSignal(pid, 'SIGHUP');
  const killer = setTimeout(() => {
    // While one of them remains, the session id cannot be reused.
    if (!left.some(({ pid }) => processOf(pid)?.session === leader)) return;
    for (const { pid } of membersOf(leader)) sendSignal(pid, 'SIGKILL');
  }, killAfterMs);
  killer.unref();
}

const membersOf = (leader: number) => processes().filter(({ session }) => session === leader);
