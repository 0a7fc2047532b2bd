import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../transport/backoff.ts';
import { startChild, type Child, type ChildEnd } from './child.ts';
import { resolveActiveAgent, type ActiveAgent } from './active-agent.ts';
import { forgetChild, rememberChild } from './orphan.ts';
import {
  fileOf,
  readRecord,
  rolledBack,
  writeRecord,
  type Probation,
  type Program,
  type UpdateRecord,
} from './record.ts';
import { restartCode } from './supervisor-ipc.ts';

/** How to start the installed agent. */
interface Installed {
  version: string;
  file: string;
  args: readonly string[];
}

interface SupervisorSettings {
  /** Folder of the agents delivered as releases. */
  home: string;
  installed: Installed;
  /** The arguments of the agent only: `run` and what follows it. */
  args: readonly string[];
  /** Environment of the agents. It shows them that they have a supervisor. */
  environment: NodeJS.ProcessEnv;
  /** Whether this command line has already run once: it must not enroll again. */
  hasRun: boolean;
  /** A line for the terminal or log of this process. */
  note(line: string): void;
}

/** A graceful exit takes no longer. */
const stopWithinMs = 6_000;
/** If an agent ran this long, its exit has another cause than the previous one. */
const stableAfterMs = 60_000;
/** On probation, the number of starts is limited, so a backoff is not needed. */
const probationWaitMs = 500;
/** The new agent does not know a flag of the old agent's command line. */
const usageCode = 2;
/** Signals that request an exit; any other signal is a crash. */
const asked: readonly (NodeJS.Signals | undefined)[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Runs the agent in effect as a child until it ends for good, and returns how it ended. The agent is restarted if it
 * requests a restart, if it crashed, or if another agent is in effect by then. On probation it is also restarted after
 * it exited by itself. An agent that does not pass probation is rolled back. The first SIGTERM or SIGINT requests a
 * graceful exit, the second kills the agent.
 */
export async function supervise(settings: SupervisorSettings): Promise<ChildEnd> {
  const { home, note } = settings;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let endedBy: NodeJS.Signals = 'SIGTERM';
  let child: Child | undefined;
  let { hasRun } = settings;
  let waits = backoffMs();
  /** Agents whose rollback could not be written to disk; they are not started again. */
  const refused = new Map<string, UpdateRecord>();
  /** The last record, if it could not be written to disk. Starts on probation are counted there meanwhile. */
  let unwritten: UpdateRecord | undefined;

  const onSignal = (signal: NodeJS.Signals) => {
    endedBy = signal;
    // As abrupt as a second signal to an agent itself; also ends a hung agent.
    if (isStopping()) return child?.kill('SIGKILL');
    stopping.abort();
    child?.disconnect();
    setTimeout(() => child?.kill('SIGKILL'), stopWithinMs).unref();
  };

  async function read(): Promise<UpdateRecord> {
    const record = await readRecord(home).catch((error: unknown): UpdateRecord => {
      note(`Warning: ${home} cannot be read, so the installed agent is in effect: ${String(error)}`);
      return {};
    });
    const digest = record.current?.digest ?? '';
    const { current, probation } = unwritten ?? {};
    const isCounted = record.probation && probation && current?.digest === digest;
    return refused.get(digest) ?? (isCounted ? { ...record, probation } : record);
  }

  async function write(record: UpdateRecord): Promise<boolean> {
    return writeRecord(home, record).then(
      () => {
        unwritten = undefined;
        return true;
      },
      (error: unknown) => {
        unwritten = record;
        note(`Warning: ${home} cannot be written: ${String(error)}`);
        return false;
      },
    );
  }

  async function takeBack({ digest, version }: Program, taken: UpdateRecord): Promise<void> {
    note(`Agent ${version} is rolled back: ${taken.taken_back?.why ?? ''}`);
    if (await write(taken)) refused.clear();
    else refused.set(digest, taken);
  }

  async function next(): Promise<ActiveAgent> {
    const before = await read();
    const effect = await resolveActiveAgent(home, before, settings.installed.version);
    if (before.current && effect.record.current?.digest !== before.current.digest)
      await takeBack(before.current, effect.record);
    else if (JSON.stringify(effect.record) !== JSON.stringify(before)) await write(effect.record);
    return effect;
  }

  async function run(program: Program | undefined, limitSeconds: number | undefined): Promise<ChildEnd> {
    const { file, args } = program ? { file: fileOf(home, program.digest), args: settings.args } : settings.installed;
    const started = startChild({
      file,
      args: hasRun ? args.filter((arg) => arg !== '--fresh') : args,
      environment: settings.environment,
      keepsTail: limitSeconds !== undefined,
      onRunning: () => (hasRun = true),
    });
    child = started;
    const remembered = started.pid === undefined ? undefined : rememberChild(home, started.pid).catch(() => undefined);
    const found = { hung: false };
    const judge = async () => {
      found.hung = isOnProbation(await read(), program);
      if (found.hung) started.kill('SIGKILL');
    };
    const limit = limitSeconds === undefined ? undefined : setTimeout(() => void judge(), limitSeconds * 1000);
    const end = await started.ended;
    clearTimeout(limit);
    child = undefined;
    await remembered;
    await forgetChild(home).catch(() => undefined);
    if (!found.hung) return end;
    return { ...end, how: `it did not pass its probation within ${limitSeconds ?? 0} s`, hung: true };
  }

  /** Whether to start the agent that ended again, or the one now in effect instead. */
  async function goesOn(program: Program | undefined, end: ChildEnd): Promise<boolean> {
    const record = await read();
    if (isOnProbation(record, program)) {
      const { how, tail } = end;
      if (end.hung || end.code === usageCode) await takeBack(record.current, rolledBack(record, how, tail));
      else await write({ ...record, probation: { ...record.probation, ended: { how, tail } } });
      return true;
    }
    if (record.current?.digest !== program?.digest || end.code === restartCode) return true;
    return end.code === undefined && !asked.includes(end.signal);
  }

  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  try {
    for (;;) {
      const { record, program } = await next();
      if (isStopping()) return ended;
      const beganMs = performance.now();
      const end = await run(program, record.probation?.limit_seconds);
      if (isStopping()) return end.signal === 'SIGKILL' ? { ...end, signal: endedBy } : end;
      if (!(await goesOn(program, end))) return end;
      const isSwitched = (await read()).current?.digest !== program?.digest;
      if (isSwitched || performance.now() - beganMs > stableAfterMs) waits = backoffMs();
      if (isSwitched) continue;
      const waitMs = record.probation ? probationWaitMs : waits.next().value;
      note(`The agent restarts in ${Math.ceil(waitMs / 1000)} s: ${end.how}`);
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  } finally {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
  }
}

/** For a supervisor that was stopped while no agent ran. */
const ended: ChildEnd = { code: 0, signal: undefined, how: 'it was ended', tail: [] };

function isOnProbation(
  record: UpdateRecord,
  program: Program | undefined,
): record is UpdateRecord & { current: Program; probation: Probation } {
  return record.probation !== undefined && program !== undefined && record.current?.digest === program.digest;
}
