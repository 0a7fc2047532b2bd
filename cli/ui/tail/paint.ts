import { safeCell } from '../../output/safe.ts';
import { logTime } from '../../output/time.ts';
import { cutTo, fitTo, splitAt, widthOf } from '../../output/text-width.ts';
import { painted } from '../components/paint.ts';
import type { TextStyle, Theme, Tone } from '../theme.ts';
import { linesShown, type NumberedLine, type Search, type TailWindow } from './window.ts';
import type { TailState } from '../data/data.ts';

export interface TailLook {
  theme: Theme;
  hasColours: boolean;
  columns: number;
  rows: number;
  /** Robots by id, in the order of their colours; lines of a single robot have no name. */
  names: ReadonlyMap<string, string>;
  search: Search | undefined;
}

/** Each robot has one of them, in turn; they distinguish robots and have no other meaning. */
const robotColours = ['cyan', 'magenta', 'blue', 'green', 'cyanBright', 'magentaBright', 'blueBright', 'greenBright'];
const levelTones: Partial<Record<string, Tone>> = { debug: 'quiet', warn: 'warn', error: 'bad', fatal: 'bad' };
const widestName = 16;
const widestSource = 14;
/** On narrower terminals, the source is dropped to make room for the text. */
const leastForSource = 90;
/** Code units per cell: text beyond that is not visible, and is not measured, which is slow. */
const mostPerCell = 8;
/** Maximum rows of one line; more are useless. */
const maxRowsOfLine = 20;

/** The visible part of a tail, as cut and painted lines. */
export function tailLines(state: TailState, window: TailWindow, look: TailLook): string[] {
  const draw = (marked: RegExp | undefined) => drawnLines(state, window, look, marked);
  return look.search ? look.search.marking(draw) : draw(undefined);
}

function drawnLines(state: TailState, window: TailWindow, look: TailLook, marked: RegExp | undefined): string[] {
  const { rows, search } = look;
  const parts = new Map<number, string[]>();
  const painter = linePainter(window, look, marked);
  const shown = linesShown(state, { ...window, search }, rows, (numbered) => {
    const lines = painter(numbered);
    parts.set(numbered.number, lines);
    return lines.length;
  });
  const lines = shown.flatMap(({ number }) => parts.get(number) ?? []);
  const end = window.end ?? state.total;
  // The current line is visible as a whole; of a line higher than the screen, its beginning.
  const below = shown.filter(({ number }) => number > end).flatMap(({ number }) => parts.get(number) ?? []).length;
  if (below > 0 || shown.length === 1) return lines.slice(0, rows);
  return lines.slice(-rows);
}

function linePainter(
  window: TailWindow,
  look: TailLook,
  search: RegExp | undefined,
): (numbered: NumberedLine) => string[] {
  const { theme, columns, names } = look;
  const { ellipsis } = theme.signs;
  const [quiet, strong] = [theme.look('quiet'), theme.look('strong')];
  const isOfMany = names.size > 1;
  const nameWidth = Math.min(widestName, Math.floor(columns / 5), Math.max(0, ...[...names.values()].map(widthOf)));
  const order = new Map([...names.keys()].map((id, index) => [id, index]));
  const nameLook = (id: string): TextStyle => {
    const color = look.hasColours ? robotColours[(order.get(id) ?? 0) % robotColours.length] : undefined;
    return color === undefined ? {} : { color };
  };
  const sourceWidth = columns >= leastForSource ? widestSource : 0;
  const found = { ...strong, inverse: true };

  function marked(text: string, own: TextStyle, isMatch: boolean): string {
    if (!search) return painted(text, own);
    let [whole, from] = ['', 0];
    for (const match of text.matchAll(search)) {
      if (match[0] === '') continue;
      whole += painted(text.slice(from, match.index), own) + painted(match[0], isMatch ? found : { inverse: true });
      from = match.index + match[0].length;
    }
    return whole + painted(text.slice(from), own);
  }

  return ({ line, number }) => {
    const at = line.kind === 'note' ? line.at : (line.record.ts ?? line.record.received_at);
    const name = names.get(line.robotId) ?? line.robotId;
    const head = [
      ...(window.hasTime ? [{ text: logTime(at), look: quiet }] : []),
      ...(isOfMany ? [{ text: fitTo(name, nameWidth, ellipsis), look: nameLook(line.robotId) }] : []),
    ];
    const own = theme.look(line.kind === 'note' ? (line.isGap ? 'warn' : 'quiet') : levelTones[line.record.level]);
    if (line.kind === 'record') {
      head.push({ text: fitTo(safeCell(line.record.level), 5, ''), look: own });
      if (sourceWidth > 0) head.push({ text: fitTo(safeCell(line.record.source), sourceWidth, ellipsis), look: quiet });
    }
    const said = line.kind === 'note' ? `-- ${line.text} --` : line.record.message;
    const text = safeCell(said.slice(0, columns * mostPerCell * (window.isWrapped ? maxRowsOfLine : 1)));
    const isMatch = window.match === number;
    const before = isMatch ? theme.signs.cursor : ' ';
    const used = head.reduce((sum, part) => sum + widthOf(part.text) + 1, widthOf(before));
    const start = painted(before, strong) + head.map((part) => `${painted(part.text, part.look)} `).join('');
    const room = Math.max(8, columns - used);
    if (!window.isWrapped) return [start + marked(cutTo(text, room, ellipsis), own, isMatch)];
    const pieces = splitAt(text, room);
    const kept = pieces.slice(0, maxRowsOfLine);
    if (kept.length < pieces.length) kept[kept.length - 1] = ellipsis;
    return kept.map((piece, index) => (index === 0 ? start : ' '.repeat(used)) + marked(piece, own, isMatch));
  };
}
