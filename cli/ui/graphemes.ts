import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** What a person takes for one character each, whatever it is made of. */
export const graphemesOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** The text in exactly so many cells: cut with `ellipsis`, or filled up with spaces. */
export function fitted(text: string, width: number, ellipsis = '…'): string {
  const natural = stringWidth(text);
  if (natural <= width) return text + ' '.repeat(width - natural);
  const room = width - stringWidth(ellipsis);
  const kept = beginning(text, Math.max(0, room));
  const end = room < 0 ? '' : ellipsis;
  return kept + end + ' '.repeat(Math.max(0, width - stringWidth(kept) - stringWidth(end)));
}

/** As much of its beginning as so many cells hold. */
export function beginning(text: string, width: number): string {
  let [kept, used] = ['', 0];
  for (const grapheme of graphemesOf(text)) {
    used += stringWidth(grapheme);
    if (used > width) break;
    kept += grapheme;
  }
  return kept;
}

/** The text in lines of at most so many cells, broken between words where it can be. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      const joined = line === '' ? word : `${line} ${word}`;
      if (stringWidth(joined) <= width) {
        line = joined;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (stringWidth(line) > width) {
        // At least one, or a line that is narrower than a character would never come to its end.
        const piece = beginning(line, width) || (graphemesOf(line)[0] ?? '');
        lines.push(piece);
        line = line.slice(piece.length);
      }
    }
    return [...lines, line];
  });
}
