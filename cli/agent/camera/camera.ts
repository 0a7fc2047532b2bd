import { closeCodes } from '../../../generated/protocol.js';
import { backoffMs } from '../../transport/backoff.ts';
import type { StreamSocket } from '../streams/socket.ts';
import { pictureSender } from './pace.ts';
import type { CameraSource, RunningSource } from './source.ts';

/** Limits of a camera; a test shortens them. */
export interface CameraTimes {
  /** How long the source runs without a viewer. */
  lingerMs: number;
  /** The longest pause after the source failed. */
  maxRestMs: number;
  /** Default: the source's own. */
  silentAfterMs?: number | undefined;
}

interface CameraSettings {
  name: string;
  source: CameraSource;
  times: CameraTimes;
  /** The camera failed for this reason. */
  failed(reason: string): void;
  /** Pictures arrive. */
  well(): void;
}

/** A viewer of the camera, over one socket. */
interface CameraViewer {
  pace(perSecond: number | null): void;
  gone(): void;
}

export interface Camera {
  /** Why the camera accepts no viewer now: it failed a moment ago. */
  readonly refusal: string | undefined;
  add(socket: () => StreamSocket, perSecond: number | null): CameraViewer;
  /** Stops the source and all viewers. */
  stop(): Promise<void>;
}

/** This many broken pictures in a row mean a broken source. */
const mostBroken = 30;
/** After a run this long, the backoff of a failed source starts again. */
const stableMs = 10_000;

/** One run of the source. */
interface Run {
  running: RunningSource;
  beganMs: number;
  /** The newest picture, for later viewers. */
  latest: Buffer | undefined;
  silence: NodeJS.Timeout;
}

/**
 * One camera, whose source all of its viewers share. States: idle → running (first viewer) → lingering (last viewer
 * left) → idle after 10 s. When the source fails, all viewers are disconnected and the camera rests: it refuses viewers
 * for a moment.
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
  /** Resolves when the device is free for the next run. */
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
      const silence = setTimeout(() => fail(hint ?? `no picture arrived for ${silentAfterMs / 1000} s`), silentAfterMs);
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
      // The source calls nothing before `start` returns.
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
      // The socket exists once this call has returned.
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

/** The longest close reason, in bytes. */
const maxReasonBytes = 123;

/** Cuts between characters: half a character would not be valid text. */
function cut(reason: string): string {
  let text = reason.replaceAll(/[\p{Cc}\s]+/gu, ' ');
  while (Buffer.byteLength(text) > maxReasonBytes) text = Array.from(text).slice(0, -2).join('').concat('…');
  return text;
}
