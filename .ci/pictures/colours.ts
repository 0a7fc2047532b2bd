import type { IBufferCell } from '@xterm/headless';

export const background = '#15171c';
export const foreground = '#d9dce2';

/** The 16 colours of a terminal, from black to bright white. Each text colour has a contrast of at least 4.5 on `background`. */
const basic = [
  ...['#30343c', '#f47f86', '#9fd36a', '#eec06a', '#72b4f8', '#d19af0', '#58c7d4', '#d0d3d9'],
  ...['#8d95a1', '#ff9a9f', '#b9e58b', '#ffd68a', '#98caff', '#e3b8ff', '#83dfe9', '#ffffff'],
];
const cubeLevels = [0, 95, 135, 175, 215, 255];
const firstOfCube = 16;
const firstGrey = 232;

const hex = (parts: readonly number[]) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
const parts = (colour: string) => [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16));

function indexed(index: number): string {
  const known = basic[index];
  if (known !== undefined) return known;
  if (index >= firstGrey) return hex(Array<number>(3).fill(8 + 10 * (index - firstGrey)));
  const place = index - firstOfCube;
  return hex([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((level) => cubeLevels[level] ?? 0));
}

/** `share` of the colour over the other. */
const mixed = (colour: string, over: string, share: number) => {
  const below = parts(over);
  return hex(parts(colour).map((part, index) => Math.round(part * share + (below[index] ?? 0) * (1 - share))));
};

export interface CellColours {
  front: string;
  /** Undefined for the background of the terminal. */
  back: string | undefined;
}

export function coloursOf(cell: IBufferCell): CellColours {
  const rgb = (value: number) => hex([(value >> 16) & 255, (value >> 8) & 255, value & 255]);
  const given = (isRgb: boolean, isDefault: boolean, value: number) =>
    isDefault ? undefined : isRgb ? rgb(value) : indexed(value);
  const own = {
    front: given(cell.isFgRGB(), cell.isFgDefault(), cell.getFgColor()) ?? foreground,
    back: given(cell.isBgRGB(), cell.isBgDefault(), cell.getBgColor()),
  };
  const seen = cell.isInverse() ? { front: own.back ?? background, back: own.front } : own;
  if (cell.isDim()) seen.front = mixed(seen.front, seen.back ?? background, 0.62);
  return seen;
}
