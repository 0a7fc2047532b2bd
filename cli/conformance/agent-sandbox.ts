import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The environment variable with the folder of an agent, which also identifies its processes. */
export const folderVariable = 'CONFORMANCE_FOLDER';

/**
 * The folder and the processes of the agent in one check. None outlasts the check, or this process unless it ends by
 * SIGKILL.
 */
export interface AgentSandbox extends AsyncDisposable {
  folder: string;
  /** Takes over a process group, by the id of its leader. */
  own(leader: number): void;
  /** Whether no process is left. */
  isEmpty(): boolean;
}

/** How long a killed process may take to end: one that writes to a slow disk cannot be interrupted. */
const goneWithinMs = 5_000;
const pollMs = 20;
/** On a busy machine, a process may have forked again while the others were killed. */
const roundsAtExit = 20;

/** One for each running check. */
const ends = new Set<() => void>();
const endAll = () => ends.forEach((end) => end());

export async function startAgentSandbox(): Promise<AgentSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-conformance-'));
  const groups = new Set<number>();
  const left = () => {
    const processes = processesOf(folder, groups);
    // The id of an empty group may be reused.
    for (const leader of groups) if (!processes.some(({ group }) => group === leader)) groups.delete(leader);
    return processes;
  };
  const kill = () => {
    for (const { pid } of left()) signalled(pid, 'SIGKILL');
  };
  const isEmpty = () => left().length === 0;
  const remove = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  // Ctrl-C ends this process at once, but an agent has another process group than the terminal.
  const end = () => {
    for (let round = 0; round < roundsAtExit && !isEmpty(); round += 1) {
      kill();
      // It may block: nothing else runs while this process exits.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
    }
    rmSync(folder, remove);
  };
  if (ends.size === 0) process.on('exit', endAll);
  ends.add(end);
  return {
    folder,
    own: (leader) => void groups.add(leader),
    isEmpty,
    async [Symbol.asyncDispose]() {
      for (const limit = performance.now() + goneWithinMs; !isEmpty() && performance.now() < limit;) {
        kill();
        await pause(pollMs);
      }
      await rm(folder, remove);
      ends.delete(end);
      if (ends.size === 0) process.off('exit', endAll);
    },
  };
}

interface Process {
  /** Negative for a whole group, where there is no /proc to list its processes. */
  pid: number;
  group: number;
}

/**
 * Processes that left their parent's group are identified by the inherited variable. A zombie does not count: its
 * parent may never reap it.
 */
function processesOf(folder: string, groups: ReadonlySet<number>): Process[] {
  const mark = `\0${folderVariable}=${folder}\0`;
  const names = directory('/proc').filter((name) => /^\d+$/.test(name));
  if (names.length === 0) return [...groups].flatMap((group) => (signalled(-group, 0) ? [{ pid: -group, group }] : []));
  return names.flatMap((name) => {
    // "pid (name) state parent group …": the name may hold spaces and brackets.
    const stat = content(`/proc/${name}/stat`);
    const [state = 'X', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const found = { pid: Number(name), group: Number(group) };
    if (state === 'Z' || state === 'X' || found.pid === process.pid) return [];
    return groups.has(found.group) || `\0${content(`/proc/${name}/environ`)}`.includes(mark) ? [found] : [];
  });
}

function directory(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Empty for a file of another user, and for a missing file. */
function content(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Returns whether there is a process to signal. */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
