import { ReadStream } from 'node:tty';
import { exitCode } from '../../command-line/exit-codes.ts';
import { safeCell } from '../../output/safe.ts';
import { outlet } from '../shell/outlet.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { decoderThread } from './decoder-thread.ts';
import { pictureRendererOf } from './picture-renderer.ts';
import { pictureMeter } from './meter.ts';

interface ScreenSettings {
  /** For people: robot and camera. */
  title: string;
  /** The viewer leaves, with this exit code. */
  onLeave(code: number): void;
  /** The viewer saves this picture; returns the message to show. */
  onSave(jpeg: Buffer): Promise<string>;
}

/** The alternate screen, without a cursor and without wrapping. */
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J';
/** Also ends an interrupted picture, and the frame around it. */
const leave = '\u001b\\\u001b[?2026l\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1049l';
const clear = '\u001b[2J';
/** Terminals with synchronized output draw what is between these at once; others ignore them. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';
const keys = { interrupt: '\u0003', suspend: '\u001a', leave: 'q', save: 'x' };
const tellEveryMs = 500;
const noticeMs = 4_000;
/** An older picture is reported as outdated. */
const oldSeconds = 3;
/** At the end, the maximum wait for a terminal that accepts nothing. */
const drainWithinMs = 300;

/**
 * Shows pictures on the whole terminal with a line below them. While one is being written to a slow terminal, only the
 * newest of the next ones is kept.
 */
export function cameraScreen({ io, environment }: Pick<Invocation, 'io' | 'environment'>, settings: ScreenSettings) {
  const decoder = decoderThread();
  const look = pictureRendererOf(environment, decoder);
  const meter = pictureMeter();
  const input = io.input instanceof ReadStream ? io.input : undefined;
  const out = outlet({ onWritten: () => undefined, onFailed: () => settings.onLeave(exitCode.error) });
  let next: Buffer | undefined;
  let latest: Buffer | undefined;
  let [isDrawing, isOver, isPainted] = [false, false, false];
  let dropped = 0;
  let trouble: readonly string[] | undefined;
  let notice: { text: string; untilMs: number } | undefined;

  const write = (text: string) => out.write(1, Buffer.from(text));

  function statusText(): string {
    const { perSecond, bytesPerSecond, ageSeconds } = meter.read();
    if (notice && performance.now() < notice.untilMs) return io.out.paint(safeCell(notice.text), 'good');
    const title = io.out.paint(safeCell(settings.title), 'strong');
    if (ageSeconds === undefined) return `${title} · ${io.out.paint('no picture yet', 'quiet')}`;
    const age = `${ageSeconds.toFixed(1)} s old`;
    const figures = [`${perSecond.toFixed(1)} fps`, `${Math.round(bytesPerSecond / 1000)} kB/s`];
    const rest = [...(dropped > 0 ? [`${dropped} dropped`] : []), 'x saves, q quits'];
    const aged = ageSeconds > oldSeconds ? io.out.paint(age, 'warn') : age;
    return `${title} · ${[...figures, aged, ...rest].join(' · ')}`;
  }

  /** The bottom line. The reason for missing pictures is shown in full, on as many lines as needed. */
  function statusLine(): string {
    const { rows } = io.out;
    const columns = Math.max(1, io.out.columns); // some terminals report 0
    const wrapped = (trouble ?? []).flatMap((line) => safeCell(line).match(new RegExp(`.{1,${columns}}`, 'gu')) ?? []);
    const shown = trouble === undefined ? [statusText()] : wrapped.map((line) => io.out.paint(line, 'warn'));
    const first = Math.max(1, rows - shown.length + 1);
    return shown.map((line, index) => `\u001b[${first + index};1H${line}\u001b[0m\u001b[K`).join('');
  }

  async function drawAll(): Promise<void> {
    isDrawing = true;
    // Taken again after each wait: pictures arrive meanwhile.
    for (let jpeg = take(); jpeg; jpeg = take()) {
      const { columns, rows } = io.out;
      const drawn = await look.draw(jpeg, columns, Math.max(1, rows - 1)).catch((error: unknown) => {
        notice = {
          text: `a picture cannot be shown: ${(error as Error).message}`,
          untilMs: performance.now() + noticeMs,
        };
        return '';
      });
      if (isOver) break;
      const isSame = columns === io.out.columns && rows === io.out.rows;
      write(`${beginFrame}${isPainted && isSame ? '' : clear}${drawn}${statusLine()}${endFrame}`);
      isPainted = true;
      await out.drained().catch(() => undefined);
    }
    isDrawing = false;
  }

  function take(): Buffer | undefined {
    const jpeg = isOver ? undefined : next;
    next = undefined;
    return jpeg;
  }

  function draw(jpeg: Buffer): void {
    if (next) dropped += 1;
    next = jpeg;
    if (!isDrawing) void drawAll();
  }

  function redraw(): void {
    isPainted = false;
    if (latest) draw(latest);
    else write(`${clear}${statusLine()}`);
  }

  const onKey = (typed: Buffer) => {
    const key = typed.toString('latin1');
    if (key.includes(keys.interrupt)) settings.onLeave(exitCode.interrupted);
    else if (key.toLowerCase() === keys.leave) settings.onLeave(exitCode.ok);
    else if (key === keys.suspend) suspend();
    else if (key.toLowerCase() === keys.save && latest)
      void settings.onSave(latest).then((text) => {
        notice = { text, untilMs: performance.now() + noticeMs };
        if (!isOver && !isDrawing) write(statusLine());
      });
  };

  function restore(): void {
    try {
      input?.setRawMode(false);
      io.out.write(`${look.undo}${leave}`);
    } catch {
      // The window is closed: nothing is left to restore.
    }
  }

  function begin(): void {
    input?.setRawMode(true);
    io.out.write(enter);
    redraw();
  }

  /** Suspends this process and its job as Ctrl-Z does; returns when they continue. */
  function suspend(): void {
    restore();
    process.kill(0, 'SIGTSTP');
    begin();
  }

  process.on('exit', restore);
  input?.on('data', onKey);
  io.out.onResize(redraw);
  begin();
  const timer = setInterval(() => {
    // While a picture is being written, the line follows with the next one.
    if (!isDrawing) write(statusLine());
  }, tellEveryMs);

  return {
    show(jpeg: Buffer): void {
      trouble = undefined;
      meter.count(jpeg.length);
      latest = jpeg;
      draw(jpeg);
    },
    /** Shows why no picture arrives. */
    say(lines: readonly string[]): void {
      trouble = lines;
      if (!isDrawing && !isOver) write(statusLine());
    },
    /** Restores the terminal. */
    async leave(): Promise<void> {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      decoder.end();
      await Promise.race([
        out.drained().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, drainWithinMs).unref()),
      ]);
      process.off('exit', restore);
      restore();
      input?.off('data', onKey).destroy();
    },
  };
}
