/** Characters that must touch their neighbours are drawn as shapes, as the fonts of readers differ in their size. */

/** Arms of a line from the middle of its cell: left, right, up, down. */
const arms: Readonly<Record<string, string>> = {
  ...{ '─': 'lr', '│': 'ud', '┌': 'rd', '┐': 'ld', '└': 'ru', '┘': 'lu', '├': 'rud', '┤': 'lud' },
  ...{ '┬': 'lrd', '┴': 'lru', '┼': 'lrud', '╭': 'rd', '╮': 'ld', '╰': 'ru', '╯': 'lu', '━': 'lr', '┃': 'ud' },
};
const fromLeft = '█▉▊▋▌▍▎▏';
const fromBelow = '█▇▆▅▄▃▂▁';

interface CellSize {
  width: number;
  height: number;
  /** From the top of the cell. */
  baseline: number;
}

interface Shape {
  path: string;
  isLine: boolean;
}

const short = (value: number) => String(Math.round(value * 100) / 100);
const box = (x: number, y: number, width: number, height: number) =>
  `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;

/** The shape of `count` equal characters from `x`, with the baseline at 0; undefined for a character of a font. */
export function shapeOf(character: string, x: number, count: number, size: CellSize): Shape | undefined {
  const { width, height, baseline } = size;
  const top = -baseline;
  const eighthsWide = 8 - fromLeft.indexOf(character);
  if (eighthsWide === 8) return { path: box(x, top, width * count, height), isLine: false };
  const each = (path: (left: number) => string) =>
    Array.from({ length: count }, (_, index) => path(x + index * width)).join('');
  if (fromLeft.includes(character))
    return { path: each((left) => box(left, top, (width * eighthsWide) / 8, height)), isLine: false };
  if (fromBelow.includes(character)) {
    const tall = (height * (8 - fromBelow.indexOf(character))) / 8;
    return { path: each((left) => box(left, top + height - tall, width, tall)), isLine: false };
  }
  if (character === '▀') return { path: box(x, top, width * count, height / 2), isLine: false };
  const directions = arms[character];
  if (directions === undefined) return undefined;
  const middle = top + height / 2;
  if (directions === 'lr') return { path: `M${short(x)} ${short(middle)}h${short(width * count)}`, isLine: true };
  const ends = { l: `h${short(-width / 2)}`, r: `h${short(width / 2)}`, u: `v${short(-height / 2)}` };
  const arm = (direction: string) => ({ ...ends, d: `v${short(height / 2)}` })[direction] ?? '';
  const path = each((left) =>
    Array.from(directions, (direction) => direction)
      .map((direction) => `M${short(left + width / 2)} ${short(middle)}${arm(direction)}`)
      .join(''),
  );
  return { path, isLine: true };
}

export const isShape = (character: string) =>
  character !== '' && (character in arms || `${fromLeft}${fromBelow}▀`.includes(character));
