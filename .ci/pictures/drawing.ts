import { background, foreground } from './palette.ts';
import { isDrawn, shapeOf } from './shapes.ts';
import type { Run } from './cells.ts';

/** Size of a cell in pixels, for a font of `fontSize`. */
export const cell = { width: 8.4, height: 18 } as const;
const fontSize = 14;
const baseline = 13.5;
export const padding = 14;

export const styles = `text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${foreground};white-space:pre}.b{font-weight:700}.d{opacity:.66}.i{font-style:italic}.u{text-decoration:underline}`;

/** A row of the screen as SVG, at the top left corner. Each part has the width of its cells, whatever the font is. */
export const rowMarkup = (runs: readonly Run[]): string => runs.map(runMarkup).join('');

function runMarkup(run: Run): string {
  const x = round(run.column * cell.width);
  const width = round(run.columns * cell.width);
  const fill =
    run.fill === undefined
      ? ''
      : `<path shape-rendering="crispEdges" fill="${run.fill}" d="M${x} 0h${width}v${cell.height}h-${width}z"/>`;
  return fill + partsOf(run).map(partMarkup).join('');
}

/** Words with at most one space between them; drawn characters, of which equal ones that touch are one part. */
const parts = /([\u2500\u2580-\u2588])\1*|[\u2500-\u259f]|(?:(?![\u2500-\u259f])\S)+(?: (?:(?![\u2500-\u259f])\S)+)*/gu;

function partsOf(run: Run): Run[] {
  const hasWideCharacters = run.text.length !== run.columns;
  if (hasWideCharacters || run.underline) return [run];
  return [...run.text.matchAll(parts)].map(({ 0: text, index }) => ({
    ...run,
    column: run.column + index,
    columns: text.length,
    text,
  }));
}

function partMarkup({ column, columns, text, colour, bold, dim, italic, underline }: Run): string {
  const x = round(column * cell.width);
  const [sign = ''] = text;
  if (isDrawn(sign)) return `<path ${shapeOf(sign, x, columns * cell.width, cell.height)} color="${colour}"/>`;
  const classes = [bold && 'b', dim && 'd', italic && 'i', underline && 'u'].filter(Boolean).join(' ');
  return [
    `<text x="${x}" y="${baseline}"`,
    columns > 1 ? ` textLength="${round(columns * cell.width)}" lengthAdjust="spacingAndGlyphs"` : '',
    classes === '' ? '' : ` class="${classes}"`,
    colour === foreground ? '' : ` style="fill:${colour}"`,
    `>${escaped(text)}</text>`,
  ].join('');
}

/** A still picture of a screen. */
export function screenSvg(rows: readonly (readonly Run[])[], columns: number): string {
  const width = Math.ceil(columns * cell.width) + 2 * padding;
  const height = rows.length * cell.height + 2 * padding;
  const drawn = rows.map(
    (runs, index) => `<g transform="translate(${padding} ${padding + index * cell.height})">${rowMarkup(runs)}</g>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${styles}</style><rect width="100%" height="100%" fill="${background}"/>${drawn.join('')}</svg>`,
  ].join('');
}

export const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (pixels: number) => Math.round(pixels * 10) / 10;
