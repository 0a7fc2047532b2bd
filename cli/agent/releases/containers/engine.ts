import { limits } from '../../../../generated/protocol.js';
import { runCommand } from '../../orders/command.ts';
import { StepFailed } from '../../orders/handler.ts';
import { withTail } from '../../orders/text.ts';

export const engineNames = ['podman', 'docker'] as const;

export interface EngineSettings {
  /** The whole environment of its process. */
  environment: Readonly<Record<string, string>>;
  /** Ends each call that has no signal of its own. Default: none. */
  signal?: AbortSignal;
  /** Called with each line that a call with `isLogged` prints. Default: lines are discarded. */
  onLine?: (line: string) => void;
  /** Called with the pid of each process that changes something. */
  onStarted?: (pid: number) => void;
}

/** Options of one call. */
interface Call {
  /** Default: 60 s. */
  timeoutMs?: number;
  /** Ends the call. Default: the engine's own signal. */
  signal?: AbortSignal;
  /** Default: false. */
  changes?: boolean;
  /** Whether its output is for the logs; default: false. */
  isLogged?: boolean;
}

/** What the engine reports about a container. */
export interface Container {
  id: string;
  name: string;
  /** Id of its image, in hex. */
  image: string;
  /** The engine's own word: created, running, restarting, exited, stopped, … */
  status: string;
  isRunning: boolean;
  pid: number;
  startedAt: string;
  /** How often the engine restarted it by itself. */
  restarts: number;
  /** Of its last exit. */
  exitCode: number;
  wasOutOfMemory: boolean;
  /** starting, healthy or unhealthy; undefined for an image without a health check. */
  health: string | undefined;
  labels: Readonly<Record<string, string>>;
}

/**
 * podman or docker, through its command line. Calls reject with EngineFailed if the engine refuses them. They reject
 * with StepFailed if it is missing (no_engine), does not respond (timed_out) or has no disk space (no_space).
 */
export interface Engine {
  name: string;
  /** Returns its stdout. */
  call(args: readonly string[], how?: Call): Promise<string>;
  /** The existing containers among these names or ids. */
  containers(namesOrIds: readonly string[]): Promise<Container[]>;
  /** By name or id; undefined if there is none. */
  container(nameOrId: string): Promise<Container | undefined>;
  /** The id of an image, in hex, by its name or id; undefined if there is none. */
  image(nameOrId: string): Promise<string | undefined>;
  /** The last lines that the container printed. */
  lastLines(id: string): Promise<string[]>;
}

/** The engine refused the call; the message holds its output. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
  /** Its stdout, which may hold results despite the error. */
  readonly output: string;

  constructor(message: string, output = '') {
    super(message);
    this.output = output;
  }

  /** Whether the requested container or image does not exist. */
  get isUnknown(): boolean {
    return unknown.test(this.message);
  }
}

const callWithinMs = 60_000;
const maxOutputBytes = 4 * 1024 * 1024;
const shownLines = 20;
const never = new AbortController().signal;

export function containerEngine(
  name: string,
  { environment, signal: usualSignal = never, onLine, onStarted }: EngineSettings,
): Engine {
  async function run(args: readonly string[], { timeoutMs = callWithinMs, signal = usualSignal, ...how }: Call) {
    const end = await runCommand({
      command: name,
      args,
      environment,
      timeoutMs,
      signal,
      outputBytes: maxOutputBytes,
      ...(how.changes && onStarted && { onStarted }),
      onLine: (line) => how.isLogged && onLine?.(line),
    });
    if (end.code === 0) return end;
    const message = withTail(
      `${name} ${args[0] ?? ''}: ${end.text}`,
      end.tail.filter(isSaid),
      limits.maxReportMessageBytes,
    );
    const reason = reasonOf(end);
    throw reason === undefined ? new EngineFailed(message, end.output) : new StepFailed(reason, message);
  }

  /** Of several, the engine prints those that exist and reports an error for the others. */
  async function inspect(what: 'container' | 'image', namesOrIds: readonly string[]): Promise<Inspected[]> {
    const printed = await run([what, 'inspect', ...namesOrIds], {}).catch((error: unknown) => {
      if (error instanceof EngineFailed && error.isUnknown) return error;
      throw error;
    });
    return JSON.parse(printed.output.trim() || '[]') as Inspected[];
  }

  const containers = async (namesOrIds: readonly string[]) => (await inspect('container', namesOrIds)).map(containerOf);

  return {
    name,
    call: async (args, how = {}) => (await run(args, how)).output,
    containers,
    container: async (nameOrId) => (await containers([nameOrId]))[0],
    async image(nameOrId) {
      const [found] = await inspect('image', [nameOrId]);
      return found && withoutAlgorithm(found.Id);
    },
    async lastLines(id) {
      const { tail } = await run(['logs', '--tail', String(shownLines), id], {});
      return tail;
    },
  };
}

/** The fields used here of what both engines print. */
interface Inspected {
  Id: string;
  Name?: string;
  Image?: string;
  RestartCount?: number;
  State?: {
    Status?: string;
    Running?: boolean;
    Restarting?: boolean;
    Pid?: number;
    StartedAt?: string;
    ExitCode?: number;
    OOMKilled?: boolean;
    Health?: { Status?: string };
    /** podman before version 4. */
    Healthcheck?: { Status?: string };
  };
  Config?: { Labels?: Record<string, string> | null };
}

const unknown = /no such (container|image|object)|image not known/i;
const isFull = /no space left on device/i;
/** podman prints warnings about its environment with every call. */
const isSaid = (line: string) => !/level=(warning|info|debug)/.test(line);

function reasonOf({ how, tail }: { how: string; tail: readonly string[] }): string | undefined {
  if (how === 'not_started') return 'no_engine';
  if (how === 'timed_out') return 'timed_out';
  return tail.some((line) => isFull.test(line)) ? 'no_space' : undefined;
}

export const withoutAlgorithm = (id: string) => id.replace(/^sha256:/, '');

function containerOf({ Id, Name = '', Image = '', RestartCount, State = {}, Config }: Inspected): Container {
  const health = (State.Health ?? State.Healthcheck)?.Status;
  return {
    id: Id,
    // docker's names begin with a slash.
    name: Name.replace(/^\//, ''),
    image: withoutAlgorithm(Image),
    status: State.Status ?? 'unknown',
    // docker reports a container as running while it waits for its next start.
    isRunning: State.Running === true && State.Restarting !== true,
    pid: State.Pid ?? 0,
    startedAt: State.StartedAt ?? '',
    restarts: RestartCount ?? 0,
    exitCode: State.ExitCode ?? 0,
    wasOutOfMemory: State.OOMKilled ?? false,
    health: health === '' || health === 'none' ? undefined : health,
    labels: Config?.Labels ?? {},
  };
}
