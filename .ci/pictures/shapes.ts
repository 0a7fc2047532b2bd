/**
 * Box drawing and block elements as paths: those of a font leave gaps between cells, and each font draws them
 * differently.
 */
/** Arms of a line from the middle of its cell. */
const lines: Readonly<Record<string, string>> = {
  '─': 'lr',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'ld',
  '└': 'ru',
  '┘': 'lu',
  '├': 'udr',
  '┤': 'udl',
  '┬': 'lrd',
  '┴': 'lru',
  '┼': 'lrud',
  '╭': 'rd',
  '╮': 'ld',
  '╰': 'ru',
  '╯': 'lu',
};

/** Eighths of a cell: left, top, width, height. */
const blocks = new Map<string, readonly [number, number, number, number]>([
  ['▀', [0, 0, 8, 4]],
  ['▐', [4, 0, 4, 8]],
  ...Array.from('▁▂▃▄▅▆▇█', (sign, index) => [sign, [0, 7 - index, 8, index + 1]] as const),
  ...Array.from('▉▊▋▌▍▎▏', (sign, index) => [sign, [0, 0, 7 - index, 8]] as const),
]);

export const isDrawn = (text: string) => text in lines || blocks.has(text);

/** Attributes of the path of this character, or of several of it, in the current colour. */
export function shapeOf(text: string, x: number, width: number, height: number): string {
  const [left, top, wide, high] = blocks.get(text) ?? [0, 0, 0, 0];
  if (blocks.has(text)) {
    const across = (wide * width) / 8;
    const from = `${round(x + (left * width) / 8)} ${round((top * height) / 8)}`;
    return `fill="currentColor" shape-rendering="crispEdges" d="M${from}h${round(across)}v${round((high * height) / 8)}h${round(-across)}z"`;
  }
  const arms: Readonly<Record<string, string>> = {
    l: `H${round(x)}`,
    r: `H${round(x + width)}`,
    u: 'V0',
    d: `V${height}`,
  };
  const middle = `M${round(x + width / 2)} ${height / 2}`;
  const path = Array.from(lines[text] ?? '', (arm) => `${middle}${arms[arm] ?? ''}`).join('');
  return `stroke="currentColor" d="${path}"`;
}

const round = (pixels: number) => Math.round(pixels * 100) / 100;
