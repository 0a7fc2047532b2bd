import stringWidth from 'string-width';

/** Characters that each take one cell; measuring any other text is slow. */
const plain = /^[\x20-\x7e\u2500-\u257f\u2581-\u2593\u25b2\u25b8\u25cb-\u25cf\u2026\u2713]*$/;
let segmenter: Intl.Segmenter | undefined;
/** Created on first use: it takes milliseconds, and plain text needs none. */
const segmentsOf = (text: string) => (segmenter ??= new Intl.Segmenter()).segment(text);

/** User-perceived characters: a letter with its accents, or an emoji with all its parts, is one. */
export const graphemesOf = (text: string): string[] => Array.from(segmentsOf(text), ({ segment }) => segment);

/** Terminal cells of a text without control characters. */
export const widthOf = (text: string): number => (plain.test(text) ? text.length : stringWidth(text));

/** The text if it fits, else its beginning with the ellipsis. Never wider than `width`. */
export function cutTo(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  return room < 0 ? '' : beginningOf(text, room) + ellipsis;
}

/** The text in exactly `width` cells: cut, or padded with spaces. */
export function fitTo(text: string, width: number, ellipsis: string): string {
  const cut = cutTo(text, width, ellipsis);
  return cut + ' '.repeat(Math.max(0, width - widthOf(cut)));
}

/** The text in pieces of at most `width` cells; at least one piece. A wider grapheme stays whole. */
export function splitAt(text: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  do {
    const piece = beginningOf(rest, width) || (graphemesOf(rest)[0] ?? '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  } while (rest !== '');
  return pieces;
}

/** The text in lines of at most `width` cells, broken between words if possible. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      const joined = line === '' ? word : `${line} ${word}`;
      if (widthOf(joined) <= width) {
        line = joined;
        continue;
      }
      if (line !== '') lines.push(line);
      const pieces = splitAt(word, width);
      line = pieces.pop() ?? '';
      lines.push(...pieces);
    }
    return [...lines, line];
  });
}

/** The longest beginning that fits into `width` cells. */
function beginningOf(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, width);
  let [end, used] = [0, 0];
  for (const { segment, index } of segmentsOf(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
