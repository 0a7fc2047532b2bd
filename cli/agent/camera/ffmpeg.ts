import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { isolatedStdio } from '../shell/isolated-stdio.ts';
import { usualSilenceMs, type CameraSource, type RunningSource } from './source.ts';
import { pictureSplitter } from './split.ts';

interface FfmpegCamera {
  /** The input and the encoding of pictures; the other arguments are the same for all cameras. */
  args: readonly string[];
  /** The complete environment. */
  environment: Readonly<Record<string, string>>;
}

/** How long ffmpeg may take to end after SIGTERM. */
const endWithinMs = 1_500;
/** How long it may take after SIGKILL. One that waits for its device may take for ever. */
const killedWithinMs = 500;
const maxErrorBytes = 4_096;

/** A camera that ffmpeg reads, in a child process with its own group, so that none of its processes remains. */
export function ffmpegCamera({ args, environment }: FfmpegCamera): CameraSource {
  /** The ffmpeg that has not ended yet. */
  let existing: ChildProcess | undefined;
  return {
    silentAfterMs: usualSilenceMs,
    start(on) {
      let isOver = false;
      const failed = (reason: string) => {
        if (isOver) return;
        isOver = true;
        on.failed(reason);
      };
      const line = [
        '-nostdin',
        '-hide_banner',
        '-loglevel',
        'error',
        ...args,
        '-f',
        'image2pipe',
        '-flush_packets',
        '1',
        'pipe:1',
      ];
      const notRunning = (reason: string): RunningSource => {
        queueMicrotask(() => failed(reason));
        return { pace: () => undefined, stop: () => Promise.resolve() };
      };
      if (existing) return notRunning(`ffmpeg of an earlier run, process ${existing.pid ?? 0}, cannot be killed`);
      let child: ChildProcess;
      try {
        child = spawn('ffmpeg', line, {
          detached: true,
          stdio: isolatedStdio('ignore', 'pipe', 'pipe'),
          env: { ...environment },
        });
      } catch (error) {
        // When the system refuses a process, for example for lack of memory, `spawn` throws instead of emitting an
        // event.
        return notRunning(notStarted(error));
      }
      existing = child;
      const split = pictureSplitter({
        picture: (jpeg) => {
          if (!isOver) on.picture(jpeg);
        },
        broken: on.broken,
        failed(reason) {
          failed(reason);
          endGroup(child, 'SIGTERM');
        },
      });
      let errors = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        if (!isOver) split(chunk);
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-maxErrorBytes)));
      const gone = new Promise<void>((resolve) => {
        const end = (reason: string) => {
          existing = undefined;
          failed(reason);
          resolve();
        };
        child.on('error', (error) => end(notStarted(error)));
        child.on('close', (code, signal) =>
          end(reasonOf(errors) ?? (signal ? `ffmpeg was ended by ${signal}` : `ffmpeg ended with ${code ?? 0}`)),
        );
      });
      return {
        pace: () => undefined,
        async stop() {
          isOver = true;
          endGroup(child, 'SIGTERM');
          const late = setTimeout(() => {
            endGroup(child, 'SIGKILL');
            child.stdout?.destroy();
            child.stderr?.destroy();
          }, endWithinMs);
          await Promise.race([gone, pause(endWithinMs + killedWithinMs, undefined, { ref: false })]);
          clearTimeout(late);
          // The agent can exit without it.
          child.unref();
        },
      };
    },
  };
}

function notStarted(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? 'v4l2: and rtsp: cameras require ffmpeg, which is not installed'
    : `ffmpeg cannot be started: ${message}`;
}

/**
 * The last line of ffmpeg's errors that says more than the name of its input. Such lines begin with the part that
 * reports, as in `[video4linux2,v4l2 @ 0x5581] Cannot open …`.
 */
function reasonOf(errors: string): string | undefined {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  const said = lines.findLast((line) => /^\[[^\]]* @ [^\]]*\]/.test(line)) ?? lines.at(-1);
  return said === undefined ? undefined : withoutCredentials(said.replace(/^(\[[^\]]* @ [^\]]*\]\s*)+/, '').trim());
}

/** Removes name and password from the addresses in a text, and their query, which may contain a password too. */
export const withoutCredentials = (text: string) =>
  text.replaceAll(/(\w+:\/\/)[^\s/]*@/g, '$1').replaceAll(/(\w+:\/\/[^\s?]+)\?\S*?(?=:?(?:\s|$))/g, '$1');

/** Signals the child and all processes that it started. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}
