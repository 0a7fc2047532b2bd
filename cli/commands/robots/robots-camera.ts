import { constants } from 'node:os';
import { apiOf, type Api } from '../../api/api.ts';
import { keepIn, pictureKeeper } from '../../live/camera/keep.ts';
import { cameraScreen } from '../../live/camera/screen.ts';
import { usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import { endOnInterrupt } from '../../command-line/interrupt.ts';
import { followCamera } from '../../client/streams/camera.ts';
import { streamConnector } from '../../live/stream-connector.ts';
import { explained } from '../../live/stream-refusals.ts';
import { withCliErrors, wordsOf } from '../../live/stream-errors.ts';
import { safeText } from '../../output/safe.ts';
import { statusLine } from '../../output/status-line.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { idOf } from '../../api/names.ts';

const offer = 'Start its agent on the robot with a camera: cli agent run --camera <name>=<source>';
/** A terminal shows no more than this, and more would cost the robot's bandwidth. */
const screenPerSecond = 5;
const leaving = ['SIGTERM', 'SIGHUP'] as const;

interface Watched {
  api: Api;
  id: string;
  robot: string;
  camera: string | undefined;
  perSecond: number | undefined;
}

/** What receives the pictures. */
interface Viewer {
  /** If it returns a promise, reading pauses until that resolves. */
  picture(jpeg: Buffer): Promise<void> | undefined;
  waiting(message: string, waitMs: number): void;
  /** Whether the viewer waits for a camera that has sent no picture yet. */
  waitsForFirstPicture: boolean;
  /** Releases all its resources. */
  end(): Promise<void>;
}

/** Pictures of a robot's camera, on this terminal or into files. Returns the exit code. */
export async function robotCamera(call: Invocation): Promise<number> {
  const { flags, io, environment } = call;
  const [robot = ''] = call.args;
  const isKept = flags.text('save') !== undefined || flags.text('out') !== undefined;
  if (!isKept && (!io.out.tty || environment.dumb))
    throw usage(
      'pictures require a terminal that can draw',
      'Write them to files with --out <file.mjpeg>, --out - or --save <folder>',
    );
  if (!isKept && flags.on('once'))
    throw usage('--once requires --out or --save', 'Add --out <file> or --save <folder>');
  if (flags.text('out') === '-' && io.out.tty)
    throw usage('--out - would write pictures to this terminal', 'Add a pipe, or use --out <file>');
  const perSecond = perSecondOf(flags.text('fps')) ?? (isKept ? undefined : screenPerSecond);
  const api = await apiOf(call);
  const id = await idOf(api, 'robot', robot);
  const watched = { api, id, robot, camera: flags.text('camera'), perSecond };
  return isKept ? await watch(call, watched, keeping) : await watch(call, watched, showing);
}

type Begin = (call: Invocation, watched: Watched, leave: (code: number) => void) => Promise<Viewer>;

/** Reads the camera until the viewer ends it. */
async function watch(call: Invocation, watched: Watched, begin: Begin): Promise<number> {
  const left = new AbortController();
  let code: number = exitCode.ok;
  const leave = (by: number) => {
    code = by;
    left.abort();
  };
  const viewer = await begin(call, watched, leave);
  const interrupted = () => leave(exitCode.interrupted);
  const ended = (name: NodeJS.Signals) => leave(128 + constants.signals[name]);
  process.off('SIGINT', endOnInterrupt).on('SIGINT', interrupted);
  for (const name of leaving) process.on(name, ended);
  let hasPicture = false;
  let failure: unknown;
  try {
    const following = followCamera(streamConnector(call, watched.api), watched.id, {
      query: { camera: watched.camera, fps: watched.perSecond },
      mayWait: (hasOpened) => hasPicture || (viewer.waitsForFirstPicture && hasOpened),
      signal: left.signal,
      onPicture({ buffer, byteOffset, length }) {
        if (left.signal.aborted) return undefined;
        hasPicture = true;
        return viewer.picture(Buffer.from(buffer, byteOffset, length))?.catch((error: unknown) => {
          failure = error;
          left.abort();
        });
      },
      onWaiting: (error, waitMs) => viewer.waiting(wordsOf(error), waitMs),
    });
    await withCliErrors(following);
    if (failure !== undefined) throw failure as Error;
    return code;
  } catch (error) {
    throw await explained(error, { ...watched, offer });
  } finally {
    // A second Ctrl-C ends the process, even if a file write hangs.
    process.off('SIGINT', interrupted).on('SIGINT', endOnInterrupt);
    for (const name of leaving) process.off(name, ended);
    await viewer.end();
  }
}

const showing: Begin = async (call, { api, id, robot, camera }, leave) => {
  const { body } = await api.get('/api/robots/{id}', { path: { id } });
  const { name, cameras: [first] = [] } = body.data;
  const shown = camera ?? first ?? 'camera';
  const start = `${name}-${shown}`.replaceAll(/[^\w.-]+/g, '_').slice(0, 80);
  const screen = cameraScreen(call, {
    title: `${name || robot} · ${shown}`,
    onLeave: leave,
    onSave: (jpeg) =>
      keepIn('.', `${start}-`, jpeg).then(
        (file) => `saved ${file}`,
        (error: unknown) => `not saved: ${(error as Error).message}`,
      ),
  });
  return {
    waitsForFirstPicture: true,
    picture(jpeg) {
      screen.show(jpeg);
      return undefined;
    },
    waiting: (message, waitMs) => screen.say([message, againText(waitMs)]),
    end: () => screen.leave(),
  };
};

const keeping: Begin = async (call, _watched, leave) => {
  const { flags, io } = call;
  const keeper = await pictureKeeper({ folder: flags.text('save'), file: flags.text('out') }, io);
  const line = statusLine(call);
  let [count, bytes] = [0, 0];
  let isReported = false;
  let isEnough = false;
  let isLeft = false;
  let last = Promise.resolve();

  async function keep(jpeg: Buffer): Promise<void> {
    if (isLeft) return;
    await keeper.keep(jpeg);
    count += 1;
    bytes += jpeg.length;
    isReported = false;
    line.show(`${count} picture${count === 1 ? '' : 's'} · ${(bytes / 1e6).toFixed(1)} MB · Ctrl-C ends`);
    if (flags.on('once')) leave(exitCode.ok);
  }

  return {
    waitsForFirstPicture: false,
    // More than one picture may arrive before the stream pauses.
    picture(jpeg) {
      if (isEnough) return undefined;
      isEnough = flags.on('once');
      return (last = last.then(() => keep(jpeg))).then(() => keeper.full());
    },
    waiting(message, waitMs) {
      const text = `${message}; ${againText(waitMs)}`;
      if (io.err.tty) line.show(io.err.paint(safeText(text), 'warn'));
      else if (!isReported) io.note(safeText(text));
      isReported = true;
    },
    // The current picture is written completely to all files; a slow reader of stdout is not awaited.
    async end() {
      isLeft = true;
      await last.catch(() => undefined);
      line.clear();
      await keeper.close();
      if (io.err.tty) io.note(`${count} picture${count === 1 ? '' : 's'} kept.`);
    },
  };
};

const againText = (waitMs: number) => `retrying in ${Math.max(1, Math.round(waitMs / 1000))} s`;

function perSecondOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const perSecond = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(perSecond >= 0.1 && perSecond <= 60))
    throw usage(`--fps must be a number from 0.1 to 60, not "${text}"`, 'Example: --fps 2');
  return perSecond;
}
