import { closeCodes } from '../../../generated/protocol.js';
import { backoffMs } from '../../transport/backoff.ts';
import type { StreamSocket } from '../streams/socket.ts';
import { pictureSender } from './pace.ts';
import type { CameraSource, RunningSource } from './source.ts';

/** Limits of a camera; a test shortens them. */
export interface CameraTimes {
  /** How long its source goes on without a viewer. */
  lingerMs: number;
  /** The longest that a source which failed is left alone. */
  maxRestMs: number;
  /** Default: as the source says. */
  silentAfterMs?: number | undefined;
}

interface CameraSettings {
  name: string;
  source: CameraSource;
  times: CameraTimes;
  /** It failed, for that reason. */
  failed(reason: string): void;
  /** Pictures come. */
  well(): void;
}

/** Who gets its pictures, through one socket. */
interface CameraViewer {
  pace(perSecond: number | null): void;
  gone(): void;
}

export interface Camera {
  /** Why nobody gets its pictures now: it failed a moment ago. */
  readonly refusal: string | undefined;
  add(socket: () => StreamSocket, perSecond: number | null): CameraViewer;
  /** Ends all of it. */
  stop(): Promise<void>;
}

/** So many pictures in a row that are none make a broken source. */
const mostBroken = 30;
/** A source that gave pictures for so long is started again at once. */
const stableMs = 10_000;

/** One run of the source. */
interface Run {
  running: RunningSource;
  beganMs: number;
  /** The newest, for who comes later. */
  latest: Buffer | undefined;
  silence: NodeJS.Timeout;
}

/**
 * One camera, whose source all of its viewers share. States: idle → running (the first viewer came) → lingering (the last one went) → idle after 10 s; resting
 * where the source failed, which ends all viewers: for a moment nobody is let in then.
 */
export function cameraOf({ name, source, times, failed, well }: CameraSettings): Camera {
  const viewers = new Map<
    object,
    { sender: ReturnType<typeof pictureSender>; perSecond: number | null; end(): void }
  >();
  let run: Run | undefined;
  let linger: NodeJS.Timeout | undefined;
  let rests = backoffMs();
  let rest: { untilMs: number; reason: string } | undefined;
  /** A device is free for the next run only then. */
  let freed = Promise.resolve();
  let isStopped = false;

  const fastest = () =>
    [...viewers.values()].reduce<number | null>(
      (most, { perSecond }) => (most === null || perSecond === null ? null : Math.max(most, perSecond)),
      0,
    );

  function begin(): void {
    void freed.then(() => {
      if (run || viewers.size === 0 || isStopped) return;
      let broken = 0;
      let hint: string | undefined;
      const silentAfterMs = times.silentAfterMs ?? source.silentAfterMs;
      const beganMs = performance.now();
      const silence = setTimeout(() => fail(hint ?? `no picture came for ${silentAfterMs / 1000} s`), silentAfterMs);
      const on = {
        picture(jpeg: Buffer) {
          if (run?.silence !== silence) return;
          broken = 0;
          if (!run.latest) well();
          run.latest = jpeg;
          silence.refresh();
          for (const { sender } of viewers.values()) sender.offer(jpeg);
        },
        broken() {
          broken += 1;
          if (broken >= mostBroken && run?.silence === silence) fail('its pictures are broken');
        },
        hint: (why: string) => void (hint = why),
        failed(reason: string) {
          if (run?.silence === silence) fail(reason);
        },
      };
      // It tells nothing before it is there.
      run = { running: source.start(on, fastest()), beganMs, latest: undefined, silence };
    });
  }

  function end(): void {
    clearTimeout(linger);
    linger = undefined;
    if (!run) return;
    clearTimeout(run.silence);
    const { running } = run;
    run = undefined;
    freed = freed.then(() => running.stop());
  }

  function fail(reason: string): void {
    if (!run) return;
    const nowMs = performance.now();
    if (run.latest && nowMs - run.beganMs > stableMs) rests = backoffMs();
    rest = { untilMs: nowMs + Math.min(rests.next().value, times.maxRestMs), reason: `camera ${name}: ${reason}` };
    end();
    failed(rest.reason);
    for (const viewer of viewers.values()) viewer.end();
    viewers.clear();
  }

  return {
    get refusal() {
      return rest && performance.now() < rest.untilMs ? rest.reason : undefined;
    },
    add(socket, perSecond) {
      const key = {};
      const sender = pictureSender((jpeg, sent) => socket().send(jpeg, sent), perSecond);
      const leave = (code: number, reason: string) => {
        sender.end();
        socket().close(code, cut(reason));
      };
      const viewer = {
        sender,
        perSecond,
        end: () => leave(closeCodes.serverError, rest?.reason ?? `camera ${name} ended`),
      };
      // The socket is there once this is through.
      queueMicrotask(() => {
        if (isStopped) return leave(closeCodes.restarting, 'the agent was stopped');
        if (rest && performance.now() < rest.untilMs) return leave(closeCodes.serverError, rest.reason);
        viewers.set(key, viewer);
        clearTimeout(linger);
        linger = undefined;
        if (!run) return begin();
        run.running.pace(fastest());
        if (run.latest) sender.offer(run.latest);
      });
      return {
        pace(wanted) {
          viewer.perSecond = wanted;
          sender.pace(wanted);
          run?.running.pace(fastest());
        },
        gone() {
          sender.end();
          if (!viewers.delete(key)) return;
          if (viewers.size > 0) run?.running.pace(fastest());
          else linger = setTimeout(end, times.lingerMs);
        },
      };
    },
    async stop() {
      isStopped = true;
      end();
      for (const [, { sender }] of viewers) sender.end();
      viewers.clear();
      await freed;
    },
  };
}

/** The longest that a reason may be, in bytes. */
const maxReasonBytes = 123;

/** Cut between characters: half of one would not be text. */
function cut(reason: string): string {
  let text = reason.replaceAll(/[\p{Cc}\s]+/gu, ' ');
  while (Buffer.byteLength(text) > maxReasonBytes) text = Array.from(text).slice(0, -2).join('').concat('…');
  return text;
}
