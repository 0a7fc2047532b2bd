import type { RgbImage } from './decode.ts';

const upperHalf = '\u2580';
const reset = '\u001b[0m';
/** From dark to light. */
const ramp = ' .:-=+*#%@';

type Dot = readonly [red: number, green: number, blue: number];

/** Sets the colour of the foreground (38) or of the background (48). */
const trueColour = (layer: 38 | 48, [red, green, blue]: Dot) => `\u001b[${layer};2;${red};${green};${blue}m`;
/** The nearest of the 6 × 6 × 6 colours that most terminals have. */
const ofFew = (layer: 38 | 48, dot: Dot) => {
  const [red, green, blue] = dot.map((value) => Math.round((value / 255) * 5)) as [number, number, number];
  return `\u001b[${layer};5;${16 + 36 * red + 6 * green + blue}m`;
};

const dotAt = ({ width, height, rgb }: RgbImage, x: number, y: number): Dot => {
  const at = (y * width + x) * 3;
  return y < height ? [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0] : [0, 0, 0];
};

/**
 * Lines of text with two rows of dots each: the upper in the foreground colour, the lower in the background colour. A
 * colour is written when it changes.
 */
export function halfBlocks(dots: RgbImage, hasAllColours: boolean): string[] {
  const colour = hasAllColours ? trueColour : ofFew;
  return Array.from({ length: Math.ceil(dots.height / 2) }, (_, row) => {
    let [front, back, line] = ['', '', ''];
    for (let x = 0; x < dots.width; x += 1) {
      const nextFront = colour(38, dotAt(dots, x, row * 2));
      const nextBack = colour(48, dotAt(dots, x, row * 2 + 1));
      line += `${nextFront === front ? '' : nextFront}${nextBack === back ? '' : nextBack}${upperHalf}`;
      [front, back] = [nextFront, nextBack];
    }
    return `${line}${reset}`;
  });
}

/** The same without colours. */
export function letters(dots: RgbImage): string[] {
  const light = ([red, green, blue]: Dot) => 0.299 * red + 0.587 * green + 0.114 * blue;
  return Array.from({ length: Math.ceil(dots.height / 2) }, (_, row) =>
    Array.from({ length: dots.width }, (__, x) => {
      const mean = (light(dotAt(dots, x, row * 2)) + light(dotAt(dots, x, row * 2 + 1))) / 2;
      return ramp[Math.min(ramp.length - 1, Math.floor((mean / 256) * ramp.length))] ?? ' ';
    }).join(''),
  );
}
