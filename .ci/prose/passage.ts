/** Where a person reads the text. */
export type Kind = 'Markdown' | 'contract' | 'help' | 'message';

/**
 * A text that a person reads, and where it stands. `anchors` map an index of the text to an offset of the source, lowest first, with one for
 * index 0: between two anchors both run in step, apart from whitespace, quotes and escapes.
 */
export interface Passage {
  file: string;
  kind: Kind;
  text: string;
  source: string;
  anchors: { index: number; offset: number }[];
}

/** Stands for what is not prose, such as code or a value: one word that no rule looks at. From Unicode's private use area. */
export const placeholder = '\uE000';

export interface Place {
  line: number;
  column: number;
}

function offsetOf({ text, source, anchors }: Passage, index: number): number {
  const anchor = anchors.findLast((other) => other.index <= index) ?? { index: 0, offset: 0 };
  let offset = anchor.offset;
  for (let at = anchor.index; at <= index; at++) {
    const character = text.charAt(at);
    if (/^\s?$/.test(character) || character === placeholder) continue;
    const found = source.indexOf(character, offset);
    if (found < 0) break;
    offset = at === index ? found : found + 1;
  }
  return offset;
}

/** The line and the column, from 1, of the source of a passage. */
export function placeOf(passage: Passage, index: number): Place {
  const before = passage.source.slice(0, offsetOf(passage, index));
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}

/** The text in which whatever matches is a placeholder of the same length. */
export const masked = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((rest, pattern) => rest.replaceAll(pattern, (found) => placeholder.repeat(found.length)), text);
