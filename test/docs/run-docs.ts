import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { reasonNotToRun, type Block } from '../support/documents.ts';
import { commandLines, type CommandLine } from './command-lines.ts';
import type { Reader, Started } from './docs-terminal.ts';

/** How a reader deals with a line that keeps running. */
export interface KeepsRunning {
  /** The output that is enough for the reader. */
  seen: string | RegExp;
  /** What ends it; default Ctrl-C. */
  end?: string;
  untilTheEnd?: true;
}

/** A reader's deviations from a document. Each entry has to match somewhere in the document. */
export interface Deviations {
  /** Texts of its lines, and the replacements to type. */
  instead?: Record<string, string>;
  /** Lines that keep running, by their beginnings, or whole with the end of the line. */
  goesOn?: Record<string, KeepsRunning>;
  /** Skipped blocks and lines, by their beginnings, and the reason. */
  leftOut?: Record<string, string>;
}

/** What holds for every document that is read in one place. None of it has to match. */
export interface Place {
  instead: Record<string, string>;
  goesOn: readonly (KeepsRunning & { lines: RegExp; begins?: (started: Started) => void })[];
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
  const keep = (printed: string) => {
    for (const [secret, kind = ''] of printed.matchAll(/\b(svc_[a-z]+)_[0-9a-f]{64}\b/g)) secrets.set(kind, secret);
    // The service's log is for machines; documents omit it.
    const told = printed.replaceAll(/^\{"level".*\n/gm, '');
    return Object.entries(replacements).reduce((text, [said, typed]) => text.replaceAll(typed, said), told);
  };
  const carryOut = async ({ line }: CommandLine) => {
    let typed = line;
    for (const [said, other] of Object.entries(replacements)) typed = typed.replaceAll(said, other);
    // A secret that the document shortens is the last one of its kind, as for its reader.
    typed = typed.replaceAll(/\b(svc_[a-z]+)_[0-9a-f]*…/g, (short, kind: string) => secrets.get(kind) ?? short);
    await place.before(line);
    const common = place.goesOn.find(({ lines }) => lines.test(withoutComment(line)));
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
    let { came, code } = await carryOut(command);
    for (let left = 20; left > 0 && looksAtRobot.test(line) && !isAsShown(came, printed); left -= 1) {
      await sleep(500);
      ({ came, code } = await carryOut(command));
    }
    const isShown = printed.split('\n').some((each) => each !== '' && each !== '…');
    // A document that shows a failure shows its message.
    if (!isShown) expect([line, code, came]).toEqual([line, 0, came]);
    if (!isAsShown(came, printed)) expect(`${shapeOf(came)}\n`, line).toMatch(patternOf(printed));
  }
  const isSaid = (text: string) => blocks.some((block) => block.text.includes(text));
  expect(Object.keys(instead).filter((text) => !isSaid(text))).toEqual([]);
  expect(Object.keys({ ...goesOn, ...leftOut }).filter((beginning) => !met.has(beginning))).toEqual([]);
}

/** What a robot reports arrives a moment later; a reader who is too fast looks again. */
const looksAtRobot = /^cli robots (?:list|inspect|logs|timeline)\b(?!.*--follow)/;

const isAsShown = (came: string, printed: string) => printed === '' || patternOf(printed).test(`${shapeOf(came)}\n`);

const withoutComment = (line: string) => line.replace(/\s+#[^'"]*$/, '');

/** The text without differences between users and times. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/\b(svc_[a-z]+)_[0-9a-f]+…?/g, '$1_…')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'SHA-256')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, 'TIME')
    .replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'TIME')
    .replaceAll(/\bprocess \d+/g, 'process PID')
    .replaceAll(/\b\d+[smhd] ago\b/g, 'SOME TIME AGO')
    .replaceAll(/\bin \d+s\b/g, 'in SOME TIME')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ *\n[\n ]*/g, '\n')
    .trim();

/** A line with only `…` stands for omitted ones. */
const patternOf = (printed: string) =>
  new RegExp(
    `^${shapeOf(printed)
      .split('\n')
      .map((line) => (line === '…' ? '(?:[^]*\n)?' : `${line.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}\n`))
      .join('')}$`,
  );
