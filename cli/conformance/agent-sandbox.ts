import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The variable of the environment that tells an agent its folder, and us whose a process is. */
export const folderVariable = 'CONFORMANCE_FOLDER';

/** Where the agent of one check lives. Nothing of it outlasts the check, nor this process when somebody ends it, but by SIGKILL. */
export interface AgentSandbox extends AsyncDisposable {
  folder: string;
  /** Takes over a process group, by the id of its leader. */
  own(leader: number): void;
  /** Whether no process of it is left. */
  isEmpty(): boolean;
}

/** What a process that was told to end at once may take for it: one that writes to a slow disk cannot be interrupted. */
const goneWithinMs = 5_000;
const pollMs = 20;
/** In a busy moment a process may have forked again while the others were ended. */
const roundsAtExit = 20;

/** Of the checks that are made now. */
const ends = new Set<() => void>();
const endAll = () => ends.forEach((end) => end());

export async function startAgentSandbox(): Promise<AgentSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-conformance-'));
  const groups = new Set<number>();
  const left = () => {
    const processes = processesOf(folder, groups);
    // The id of a group that is empty may become another one's.
    for (const leader of groups) if (!processes.some(({ group }) => group === leader)) groups.delete(leader);
    return processes;
  };
  const kill = () => {
    for (const { pid } of left()) signalled(pid, 'SIGKILL');
  };
  const isEmpty = () => left().length === 0;
  const remove = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  // Ctrl-C ends this process at once; the group of an agent is not that of the terminal.
  const end = () => {
    for (let round = 0; round < roundsAtExit && !isEmpty(); round += 1) {
      kill();
      // Nothing else runs at the end of this process: it may stand still.
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
  /** Negative for all of a group, where there is no /proc to tell them apart in. */
  pid: number;
  group: number;
}

/** Those who left the group of their parent are known by what they inherited. A zombie is none: it may wait for ever for a parent to ask how it ended. */
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

/** Nothing of what is another user's, or gone. */
function content(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Gives whether anybody was there to hear it. */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
