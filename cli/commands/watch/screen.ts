import { emptyText } from '../empty-list.ts';
import type { List } from '../list-spec.ts';
import type { ListPage } from '../../output/list.ts';
import { safeCell } from '../../output/safe.ts';
import { columnsOf, formatOf, type View } from '../../output/view.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import type { Display } from './display.ts';

/** The alternate screen, without a cursor and without wrapping: the terminal cuts long lines. */
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
/** Terminals with synchronized output draw the rows between these at once; others ignore them. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';

/**
 * A table that is redrawn in place. Only changed rows are written, so nothing flickers; the terminal is restored on
 * exit.
 */
export async function screenDisplay<T extends object>(call: Invocation, list: List<T>): Promise<Display<T>> {
  const { out } = call.io;
  const { listTable } = await import('../../output/table.ts');
  let shown: readonly string[] = [];
  let release: (() => void) | undefined;
  let latest: { pages: readonly ListPage<T>[]; view: View<T>; at: string; failure?: string } | undefined;

  function draw(): void {
    if (!latest) return;
    const frame = frameOf(latest);
    const rows = Array.from({ length: Math.max(frame.length, shown.length) }, (_, index) => index);
    const changed = rows.filter((row) => frame[row] !== shown[row]);
    out.write(
      `${beginFrame}${changed.map((row) => `\u001b[${row + 1};1H${frame[row] ?? ''}\u001b[K`).join('')}${endFrame}`,
    );
    shown = frame;
  }

  function frameOf({ pages, view, at, failure }: NonNullable<typeof latest>): string[] {
    const items = pages.flatMap(({ body }) => body.items);
    const width = formatOf(call) === 'wide' ? Number.POSITIVE_INFINITY : out.columns;
    const [header, ...lines] = listTable(columnsOf(call, view), width, (text, tone) => out.paint(text, tone)).lines(
      items,
    );
    const state =
      failure === undefined
        ? out.paint(`${items.length} ${list.what} · ${at} · every 2 s · Ctrl-C ends`, 'quiet')
        : out.paint(safeCell(`No response since ${at}: ${failure}. Retrying every 2 s.`), 'bad');
    if (header === undefined) return [state, emptyText(call, list)];
    return [state, header, ...fitting(lines, out.rows - 2, list)];
  }

  function redraw(): void {
    shown = [];
    out.write('\u001b[2J');
    draw();
  }

  return {
    show(pages, view) {
      release ??= takeTerminal(call, redraw);
      latest = { pages, view, at: new Date().toTimeString().slice(0, 8) };
      draw();
    },
    fail(message) {
      if (latest) latest = { ...latest, failure: message };
      draw();
    },
    end: () => release?.(),
  };
}

/** The lines that fit: the first of a list, the latest of a log. One line says how many are hidden. */
function fitting<T>(lines: readonly string[], room: number, { isLog }: List<T>): readonly string[] {
  if (lines.length <= room) return lines;
  const kept = Math.max(0, room - 1);
  const rest = lines.length - kept;
  return isLog ? [`… ${rest} earlier`, ...lines.slice(-kept)] : [...lines.slice(0, kept), `… ${rest} more`];
}

/**
 * Restores the terminal's content however the process ends or is suspended. Returns a function that restores it before
 * that.
 */
function takeTerminal({ io: { out } }: Invocation, redraw: () => void): () => void {
  const restore = () => out.write(leave);
  process.on('exit', restore);
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
  process.on('SIGTSTP', () => {
    restore();
    process.kill(process.pid, 'SIGSTOP');
  });
  process.on('SIGCONT', () => {
    out.write(enter);
    redraw();
  });
  out.onResize(redraw);
  out.write(enter);
  return () => {
    process.off('exit', restore);
    restore();
  };
}
