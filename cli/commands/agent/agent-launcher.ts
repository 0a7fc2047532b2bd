import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import type { ChildEnd } from '../../agent/update/child.ts';
import { readOrphan, waitForOrphanExit } from '../../agent/update/orphan.ts';
import { homeOf, readRecord } from '../../agent/update/record.ts';
import { supervise } from '../../agent/update/supervisor.ts';
import { restartCode, attachToSupervisor } from '../../agent/update/supervisor-ipc.ts';
import { agentLineOf } from './agent-line.ts';
import { readEnvironment, supervisedEnvironment } from '../../command-line/config.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { holdLock, LockHeldError } from '../../files/lock.ts';
import { isAlive } from '../../files/process-mark.ts';

interface AgentProgram {
  /** All arguments after the program name. */
  argv: readonly string[];
  /** The words that run the agent: `agent run`, or `run` for the standalone agent. */
  words: readonly string[];
  version: string;
  /** Runs the command line in this process. */
  here(): Promise<number>;
}

/** So that `pkill -x` on the agent misses the supervisor; 15 characters at most. */
const processTitle = 'fleet-agent-sup';
/** Time limit for reading from disk which agent is in effect; then this one runs. */
const answersWithinMs = 2_000;

/**
 * Runs the command line, which may be that of an agent; returns the exit code. If a release of kind `agent` is in
 * effect, this process only supervises that release. It loads only the supervisor's code.
 */
export async function runActiveAgent(program: AgentProgram): Promise<number> {
  const environment = readEnvironment();
  const { argv, words, version, here } = program;
  const line = agentLineOf(argv, words, environment);
  if (!line) return here();
  if (environment.isSupervised && process.channel) {
    attachToSupervisor();
    return here();
  }
  const home = homeOf(join(line.stateDirectory, 'releases'));
  const look = Promise.race([lookAt(home), pause(answersWithinMs, 'none' as const, { ref: false })]);
  const found = await look;
  let hasRun = false;
  if (found === 'none') {
    const code = await here();
    if (code !== restartCode) return code;
    hasRun = true;
  }
  const lock = await supervisorLock(home);
  if (lock === undefined) return exitCode.conflict;
  try {
    await waitForOrphanExit(home);
    if (found !== 'child') {
      process.title = processTitle;
      process.stderr.on('error', () => undefined);
      const [, file = ''] = process.argv;
      const environment = supervisedEnvironment();
      return endAs(
        await supervise({ home, installed: { version, file, args: argv }, args: line.args, environment, hasRun, note }),
      );
    }
  } finally {
    lock[Symbol.dispose]();
  }
  return runActiveAgent(program);
}

/** What is on disk: a release in effect, an agent whose supervisor was killed, or neither. */
async function lookAt(home: string): Promise<'update' | 'child' | 'none'> {
  const { current } = await readRecord(home).catch(() => ({ current: undefined }));
  if (current) return 'update';
  const orphan = await readOrphan(home);
  // A folder that cannot be written keeps the mark of an agent that ended.
  return orphan && (await isAlive(orphan)) ? 'child' : 'none';
}

const note = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Undefined, with an error message, if another process supervises the agent here. If the folder allows no lock, the
 * robot still gets an agent.
 */
async function supervisorLock(home: string): Promise<Disposable | undefined> {
  try {
    return await holdLock(join(home, 'supervisor.lock'));
  } catch (error) {
    if (error instanceof LockHeldError) {
      note(
        `Error: another agent is already running here, under process ${error.pid}\n  Stop it with: kill ${error.pid}`,
      );
      return undefined;
    }
    return { [Symbol.dispose]: () => undefined };
  }
}

/** Ends as the agent ended: with its exit code or its signal. */
function endAs({ code, signal }: ChildEnd): number {
  if (code !== undefined) return code;
  if (signal !== undefined) process.kill(process.pid, signal === 'SIGINT' || signal === 'SIGHUP' ? signal : 'SIGTERM');
  return exitCode.error;
}
