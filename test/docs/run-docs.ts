import { expect } from 'vitest';
import { reasonNotToRun, type Block } from '../support/documents.ts';
import { commandLines, type CommandLine } from './command-lines.ts';
import type { Reader } from './docs-terminal.ts';
import { patienceMs } from '../support/until.ts';
import { longCommands, type KeepsRunning, type LongCommand } from './long-commands.ts';

/** A reader's deviations from a document. Each entry has to match somewhere in the document. */
export interface Deviations {
  /** Texts of its lines, and the replacements to type. */
  instead?: Record<string, string>;
  /** Lines that keep running besides `longCommands`, by their beginnings, or whole with the end of the line. */
  goesOn?: Record<string, KeepsRunning>;
  /** Skipped blocks and lines, by their beginnings, and the reason. */
  leftOut?: Record<string, string>;
}

/** What holds for every document that is read in one place. None of it has to match. */
export interface Place {
  instead: Record<string, string>;
  /** They come before `longCommands`. */
  goesOn: readonly LongCommand[];
  /** The last secret of each kind that the reader has seen, such as `svc_enroll`. */
  secrets: ReadonlyMap<string, string>;
  /** Called before a line is typed. */
  before(line: string): Promise<void>;
}

/** A place in which nothing is special. */
export const nowhere: Place = { instead: {}, goesOn: [], secrets: new Map(), before: () => Promise.resolve() };

/** Types the blocks, command by command in order, and compares the output with theirs. */
export async function follow(
  reader: Reader,
  blocks: readonly Block[],
  deviations: Deviations,
  place: Place = nowhere,
): Promise<void> {
  const { instead = {}, goesOn = {}, leftOut = {} } = deviations;
  const replacements = { ...instead, ...place.instead };
  const met = new Set<string>();
  const meets = (entries: Record<string, unknown>, line: string) => {
    const found = Object.keys(entries).find((beginning) =>
      [line, withoutComment(line)].some((form) => `${form}\n`.startsWith(beginning)),
    );
    if (found !== undefined) met.add(found);
    return found;
  };
  const secrets = new Map(place.secrets);
  const asTyped = (text: string) =>
    Object.entries(replacements).reduce((result, [said, typed]) => result.replaceAll(said, typed), text);
  const asSaid = (text: string) =>
    Object.entries(replacements).reduce((result, [said, typed]) => result.replaceAll(typed, said), text);
  const keep = (printed: string) => {
    for (const [secret, kind = ''] of printed.matchAll(/\b(svc_[a-z]+)_[0-9a-f]{64}\b/g)) secrets.set(kind, secret);
    // The service's log is for machines; documents omit it.
    return asSaid(printed.replaceAll(/^\{"level".*\n/gm, ''));
  };
  const carryOut = async ({ line }: CommandLine) => {
    // A secret that the document shortens is the last one of its kind, as for its reader.
    const typed = asTyped(line).replaceAll(
      /\b(svc_[a-z]+)_[0-9a-f]*…/g,
      (short, kind: string) => secrets.get(kind) ?? short,
    );
    await place.before(line);
    const common = [...place.goesOn, ...longCommands].find(({ lines }) => lines.test(withoutComment(line)));
    const going = goesOn[meets(goesOn, line) ?? ''] ?? common;
    if (!going) {
      const { printed: text, code } = await reader.type(typed);
      return { came: keep(text), code };
    }
    const started = await reader.begin(typed, going.seen, going.end);
    const came = keep(started.printed());
    common?.begins?.(started);
    if (!going.untilTheEnd) await started.end();
    return { came, code: 0 };
  };

  const isRun = (block: Block) => reasonNotToRun(block) === undefined && meets(leftOut, block.text) === undefined;
  for (const command of blocks.filter(isRun).flatMap(commandLines)) {
    const { line, printed } = command;
    if (meets(leftOut, line) !== undefined) continue;
    const isShown = printed.split('\n').some((each) => each !== '' && each !== '…');
    // Two addresses of a document may be the same one here.
    const pattern = patternOf(asSaid(asTyped(printed)));
    let { came, code } = await carryOut(command);
    const looksUntil = Date.now() + (looks.test(line) && isShown ? patienceMs / 3 : 0);
    while (!pattern.test(shapeOf(came)) && Date.now() < looksUntil) ({ came, code } = await carryOut(command));
    // A document that shows a failure shows its message.
    if (!isShown) expect.soft([line, code, came]).toEqual([line, 0, came]);
    if (printed !== '') expect.soft(shapeOf(came), line).toMatch(pattern);
  }
  const isSaid = (text: string) => blocks.some((block) => block.text.includes(text));
  expect(Object.keys(instead).filter((text) => !isSaid(text))).toEqual([]);
  expect(Object.keys({ ...goesOn, ...leftOut }).filter((beginning) => !met.has(beginning))).toEqual([]);
}

/** Lines that only look: what they show in a document may take a moment, and a reader looks again. */
const looks = /^cli \w+ (?:list|show|inspect|logs|timeline)\b/;

const withoutComment = (line: string) => line.replace(/\s+#[^'"]*$/, '');

/** The text without differences between users and times. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/\b(svc_[a-z]+)_[0-9a-f]+…?/g, '$1_…')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replaceAll(/\b[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b/g, 'ID')
    .replaceAll(/\b\d+[smhd] ago\b/g, 'SOME TIME AGO')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, 'TIME')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC\b/g, 'TIME IN UTC')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME OF DAY')
    .replaceAll(/\b(in|up) \d+s\b/g, '$1 SECONDS')
    .replaceAll(/\b\d+\.\d [KM]iB\b/g, 'SIZE')
    .replaceAll(/\bprocess \d+\b/g, 'process NUMBER')
    .replaceAll(/\bload \d[\d. ]+\b/g, 'load NUMBERS')
    .replaceAll(/\b\d+ (frames|acks)\/s/g, 'N $1/s')
    .replaceAll(/\bLinux \d\S+/g, 'Linux VERSION')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ *\n[\n ]*/g, '\n')
    .trim()
    .concat('\n');

/** A line with only `…` stands for omitted ones. */
const patternOf = (printed: string) =>
  new RegExp(
    `^${shapeOf(printed)
      .trimEnd()
      .split('\n')
      .map((line) => (line === '…' ? '(?:[^]*\n)?' : `${line.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}\n`))
      .join('')}$`,
  );
