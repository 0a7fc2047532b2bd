/** Colours of a dark terminal. Each of the 16 has a contrast of 4.5 or more on the background, except black. */
export const background = '#14181f';
export const foreground = '#d7dce2';

const ansi = [
  ...['#3b4252', '#f2777a', '#8fd17a', '#e5c454', '#7aa8ff', '#d59af0', '#5fcbd8', '#d7dce2'],
  ...['#8b95a5', '#ff8f8f', '#a9e894', '#f5d76e', '#9bbfff', '#e3b4f7', '#7fe0ea', '#ffffff'],
];
const levels = [0, 95, 135, 175, 215, 255];

/** The colour of a number from 0 to 255: 16 named ones, a cube of 6 × 6 × 6, and 24 greys. */
export function paletteColour(number: number): string {
  if (number < 16) return ansi[number] ?? foreground;
  if (number >= 232) return rgb(...grey(8 + (number - 232) * 10));
  const index = number - 16;
  return rgb(level(index / 36), level(index / 6), level(index));
}

const grey = (value: number) => [value, value, value] as const;
const level = (index: number) => levels[Math.floor(index) % 6] ?? 0;

/** The colour of a 24-bit number. */
export const trueColour = (number: number) => rgb((number >> 16) & 255, (number >> 8) & 255, number & 255);

const rgb = (...parts: readonly [number, number, number]) =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
