import { expect } from 'vitest';
import type { Block } from '../support/documents.ts';
import type { Reader } from './docs-terminal.ts';

/** A reader's deviations from a document. Each entry has to match somewhere in the document. */
export interface Deviations {
  /** Texts of its lines, and the replacements to type. */
  instead: Record<string, string>;
  /**
   * Lines that keep running, by their beginnings, or whole with the end of the line: the output that is enough for
   * their reader, and what ends them.
   */
  goesOn: Record<string, { seen: string | RegExp; end?: string; untilTheEnd?: true }>;
  /** Skipped blocks and lines, by their beginnings, and the reason. */
  leftOut: Record<string, string>;
}

interface Step {
  line: string;
  /** The output in the document; empty if it shows none. */
  printed: string;
}

/** Types the blocks, line by line in order, and compares the output with theirs. */
export async function follow(reader: Reader, blocks: readonly Block[], deviations: Deviations): Promise<void> {
  const { instead, goesOn, leftOut } = deviations;
  const met = new Set<string>();
  const meets = (entries: Record<string, unknown>, line: string) => {
    const found = Object.keys(entries).find((beginning) => `${line}\n`.startsWith(beginning));
    if (found !== undefined) met.add(found);
    return found;
  };
  const secrets = new Map<string, string>();
  const keep = (printed: string) => {
    for (const [secret, kind = ''] of printed.matchAll(/\b(svc_[a-z]+)_[0-9a-f]{64}\b/g)) secrets.set(kind, secret);
    // The service's log is for machines; documents omit it.
    const told = printed.replaceAll(/^\{"level".*\n/gm, '');
    return Object.entries(instead).reduce((text, [said, typed]) => text.replaceAll(typed, said), told);
  };

  for (const { line, printed } of blocks.flatMap((block) =>
    meets(leftOut, block.text) === undefined ? stepsOf(block) : [],
  )) {
    if (meets(leftOut, line) !== undefined) continue;
    let typed = line;
    for (const [said, other] of Object.entries(instead)) typed = typed.replaceAll(said, other);
    // A secret that the document shortens is the last one of its kind, as for its reader.
    typed = typed.replaceAll(/\b(svc_[a-z]+)_[0-9a-f]*…/g, (short, kind: string) => secrets.get(kind) ?? short);
    const going = goesOn[meets(goesOn, line) ?? ''];
    let came: string;
    if (going) {
      const started = await reader.begin(typed, going.seen, going.end);
      came = keep(started.printed());
      if (!going.untilTheEnd) await started.end();
    } else {
      const { printed: text, code } = await reader.type(typed);
      came = keep(text);
      expect([line, code, came]).toEqual([line, 0, came]);
    }
    if (printed !== '') expect(shapeOf(came), line).toMatch(patternOf(printed));
  }
  const isSaid = (text: string) => blocks.some((block) => block.text.includes(text));
  expect(Object.keys(instead).filter((text) => !isSaid(text))).toEqual([]);
  expect(Object.keys({ ...goesOn, ...leftOut }).filter((beginning) => !met.has(beginning))).toEqual([]);
}

/** In a block with prompts, what follows them is typed and the rest is output; otherwise every line is typed. */
function stepsOf({ text }: Block): Step[] {
  const lines = text.trimEnd().split('\n');
  if (!text.startsWith('$ ')) return lines.map((line) => ({ line, printed: '' }));
  const steps: Step[] = [];
  for (const line of lines) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ line: line.slice(2), printed: '' });
    else if (last) last.printed += `${line}\n`;
  }
  return steps;
}

/** The text without differences between users and times. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/\b(svc_[a-z]+)_[0-9a-f]+…?/g, '$1_…')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\b\d+[smhd] ago\b/g, 'SOME TIME AGO')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ *\n[\n ]*/g, '\n')
    .trim();

/** A line with only `…` stands for omitted ones. */
const patternOf = (printed: string) =>
  new RegExp(
    `^${shapeOf(printed)
      .split('\n')
      .map((line) => (line === '…' ? '[^]*' : line.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')))
      .join('\n')}$`,
  );
