import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Open } from '../../../generated/frames.js';
import { closeCodes, limits } from '../../../generated/protocol.js';
import type { Start } from '../../../generated/shell.js';
import type { StreamOpener } from '../streams/opener.ts';
import { slowAfterMs, type StreamListener, type StreamSocket } from '../streams/socket.ts';
import type { Account } from './account.ts';
import { readViewerFrame, textOf } from './frames.ts';
import { launchOf } from './launch.ts';
import type { ProgramListener } from './program.ts';
import { rawShell } from './raw.ts';
import { resumableShell, type ShellConnection, type ResumableShell } from './resumable.ts';
import type { Starters } from './starters.ts';

interface ShellManagerSettings {
  account: Account;
  starters: Starters;
  /** Ends the processes of a shell's session with it, background jobs included. Default: false. */
  killsAll?: boolean | undefined;
  /** `LANG` of shells; default `C.UTF-8`. */
  language?: string | undefined;
  limits?: Partial<ShellLimits> | undefined;
}

export interface ShellLimits {
  /** Maximum number of shells at a time. */
  most: number;
  idleMs: number;
  graceMs: number;
  startWithinMs: number;
}

const usualLimits: ShellLimits = {
  most: 4,
  idleMs: slowAfterMs,
  graceMs: 60_000,
  startWithinMs: limits.helloWithinMs,
};
/** Maximum number of ended shells kept with their remaining output. */
const mostEnded = 8;
const usualTerm = 'xterm-256color';

/** A shell of either protocol, while its program runs. */
interface Running {
  stop(): void;
  kill(): void;
}

/** How long shells have to end with the agent before they are killed. */
const endWithinMs = 1_500;

/**
 * All shells of a robot. `tell` logs on the robot which user had a shell and for how long, never its input or output.
 */
export function createShellManager(settings: ShellManagerSettings, tell: (message: string) => void): StreamOpener {
  const times = { ...usualLimits, ...settings.limits };
  const running = new Set<Running>();
  const resumable = new Map<string, { shell: ResumableShell; openedBy: string | undefined }>();
  let isStopped = false;
  let whenAllEnded: (() => void) | undefined;

  const isFull = () => isStopped || running.size >= times.most;

  /** Starts a shell for that session, and logs its begin and its end. */
  function begin<T extends Running>(
    { session_id: id, opened_by: by = 'somebody' }: Open,
    make: (ended: () => void) => T,
  ): T {
    const beganMs = performance.now();
    const made = make(() => {
      running.delete(made);
      tell(`the shell ${id} of ${by} ended after ${((performance.now() - beganMs) / 1000).toFixed(1)} s`);
      if (running.size === 0) whenAllEnded?.();
    });
    running.add(made);
    tell(`a shell was opened: ${id}, by ${by}, as ${settings.account.name}`);
    return made;
  }

  function programOf({ session_id: sessionId, parameters }: Open, start: Partial<Start>) {
    const { command, term = usualTerm, tty = true } = start;
    const columns = start.cols ?? sizeOf(parameters?.['cols'], 80);
    const rows = start.rows ?? sizeOf(parameters?.['rows'], 24);
    const { account, language, killsAll = false } = settings;
    const launch = launchOf(account, { sessionId, command, term, columns, rows }, language, killsAll);
    const starter = tty ? settings.starters.terminal : settings.starters.pipes;
    return (on: ProgramListener) => starter(launch, on);
  }

  function acceptRaw(open: Open, socket: () => StreamSocket): StreamListener {
    if (isFull()) return refused(socket, closeCodes.busy, 'busy');
    try {
      const start = programOf(open, {});
      return begin(open, (ended) => rawShell({ start, idleMs: times.idleMs }, socket, ended)).on;
    } catch {
      return refused(socket, closeCodes.serverError, 'the shell could not be started');
    }
  }

  /** Waits for `start`; from then on it is one connection of a shell. */
  function acceptResumable(open: Open, socket: () => StreamSocket): StreamListener {
    let line: ShellConnection | undefined;
    let shell: ResumableShell | undefined;
    const late = setTimeout(
      () => socket().close(closeCodes.helloTimeout, 'no start frame arrived in time'),
      times.startWithinMs,
    );

    function refuse(reason: string, message: string, code: number): void {
      socket().send(textOf({ type: 'failed', reason, message }));
      socket().close(code, message);
    }

    function started(frame: Start): void {
      line = { socket: socket() };
      if (frame.resume) {
        const found = find(frame.resume.token, open.opened_by);
        if (!found) return refuse('gone', 'the shell ended meanwhile', closeCodes.gone);
        if (!found.attach(line, frame, open.recorded))
          return refuse('invalid', 'the bytes to resume from are no longer stored', closeCodes.policy);
        shell = found;
        return;
      }
      if (isFull()) return refuse('busy', `the robot has ${times.most} shells open already`, closeCodes.busy);
      try {
        shell = beginResumable(open, frame);
      } catch {
        return refuse('failed', 'the shell could not be started', closeCodes.serverError);
      }
      shell.attach(line, frame, open.recorded);
    }

    return {
      message(data, isBinary) {
        if (isBinary && line) return shell?.bytes(line, data);
        const frame = isBinary ? 'bad' : readViewerFrame(data);
        if (frame === undefined) return;
        if (line && frame !== 'bad') return shell?.frame(line, frame);
        clearTimeout(late);
        if (line) socket().close(closeCodes.policy, 'a frame violates the protocol');
        else if (frame !== 'bad' && frame.type === 'start') started(frame);
        else refuse('invalid', 'the first frame must be a start frame', closeCodes.policy);
      },
      eased: () => line && shell?.eased(line),
      closed(code) {
        clearTimeout(late);
        if (line) shell?.closed(line, code);
      },
    };
  }

  function beginResumable(open: Open, frame: Start): ResumableShell {
    const token = randomBytes(16).toString('hex');
    const { opened_by: openedBy } = open;
    const { idleMs, graceMs } = times;
    const start = programOf(open, frame);
    const user = settings.account.name;
    const shell = begin(open, (ended) =>
      resumableShell({ start, idleMs, graceMs, token, user }, { ended, over: () => resumable.delete(token) }),
    );
    resumable.set(token, { shell, openedBy });
    forgetEnded();
    return shell;
  }

  /** Discards the oldest ended shells, when there are too many. */
  function forgetEnded(): void {
    const ended = [...resumable].filter(([, { shell }]) => !shell.isLiving);
    for (const [, { shell }] of ended.slice(0, Math.max(0, ended.length - mostEnded))) shell.stop();
  }

  function find(token: string, openedBy: string | undefined): ResumableShell | undefined {
    for (const [known, each] of resumable) if (isSame(known, token) && each.openedBy === openedBy) return each.shell;
    return undefined;
  }

  return {
    refusalOf({ protocol, opened_by: openedBy }, dialling) {
      // Only the first frame says whether it resumes a shell.
      const mayResume = protocol !== undefined && [...resumable.values()].some((each) => each.openedBy === openedBy);
      if (running.size + dialling < times.most || mayResume) return undefined;
      return ['busy', `the robot has ${times.most} shells open already`];
    },
    accept: (open, socket) => (open.protocol === undefined ? acceptRaw(open, socket) : acceptResumable(open, socket)),
    stop() {
      isStopped = true;
      for (const { shell } of [...resumable.values()]) shell.stop();
      for (const shell of [...running]) shell.stop();
      if (running.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const late = setTimeout(() => {
          for (const shell of [...running]) shell.kill();
          resolve();
        }, endWithinMs);
        whenAllEnded = () => {
          clearTimeout(late);
          resolve();
        };
      });
    },
  };
}

/** Closes a dialled-back socket before it is used. */
function refused(socket: () => StreamSocket, code: number, reason: string): StreamListener {
  queueMicrotask(() => socket().close(code, reason));
  return { message: () => undefined, eased: () => undefined, closed: () => undefined };
}

const sizeOf = (value: unknown, usual: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000 ? value : usual;

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
