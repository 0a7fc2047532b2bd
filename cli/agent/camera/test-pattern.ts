import { encode } from 'jpeg-js';
import { leastPerSecond, usualSilenceMs, type CameraSource } from './source.ts';

interface TestCamera {
  width: number;
  height: number;
  perSecond: number;
}

/** The bars of a test card, from left to right. */
const bars = [
  [235, 235, 235],
  [235, 235, 16],
  [16, 235, 235],
  [16, 235, 16],
  [235, 16, 235],
  [235, 16, 16],
  [16, 16, 235],
  [16, 16, 16],
] as const;
type Colour = readonly [red: number, green: number, blue: number];

/** Digits of 3 by 5 dots, each row in three bits; then the colon and the point. */
const dots: Readonly<Record<string, readonly number[]>> = {
  0: [7, 5, 5, 5, 7],
  1: [2, 6, 2, 2, 7],
  2: [7, 1, 7, 4, 7],
  3: [7, 1, 7, 1, 7],
  4: [5, 5, 7, 1, 1],
  5: [7, 4, 7, 1, 7],
  6: [7, 4, 7, 5, 7],
  7: [7, 1, 2, 2, 2],
  8: [7, 5, 7, 5, 7],
  9: [7, 5, 7, 1, 7],
  ':': [0, 2, 0, 2, 0],
  '.': [0, 0, 0, 0, 2],
};
const letterWidth = 4;
const clockDots = { columns: 10 * letterWidth + 1, rows: 7 };
const quality = 75;

/** A camera without hardware: moving bars, and the time (UTC) to a tenth of a second. It needs only this program. */
export function testCamera({ width, height, perSecond }: TestCamera): CameraSource {
  return {
    silentAfterMs: usualSilenceMs,
    start(on, wanted) {
      const draw = () => on.picture(testPicture({ width, height }, new Date()));
      const everyMs = (limit: number | null) =>
        1000 / Math.max(leastPerSecond, Math.min(perSecond, limit ?? perSecond));
      const first = setImmediate(draw);
      let timer = setInterval(draw, everyMs(wanted));
      return {
        pace(limit) {
          clearInterval(timer);
          timer = setInterval(draw, everyMs(limit));
        },
        async stop() {
          clearImmediate(first);
          clearInterval(timer);
        },
      };
    },
  };
}

/** The picture for this instant; it depends on nothing else. */
export function testPicture({ width, height }: Pick<TestCamera, 'width' | 'height'>, at: Date): Buffer {
  const data = Buffer.alloc(width * height * 4, 255);
  const put = (x: number, y: number, [red, green, blue]: Colour) => {
    const offset = (y * width + x) * 4;
    data[offset] = red;
    data[offset + 1] = green;
    data[offset + 2] = blue;
  };
  // One turn in eight seconds.
  const shift = Math.floor(((at.getTime() % 8_000) / 8_000) * width);
  for (let x = 0; x < width; x += 1) {
    const colour = bars[Math.floor((((x + shift) % width) * bars.length) / width)] ?? bars[0];
    for (let y = 0; y < height; y += 1) put(x, y, colour);
  }
  drawClock(at.toISOString().slice(11, 21), { width, height }, put);
  return encode({ width, height, data }, quality).data;
}

/** White on black, in the middle, over most of the width. */
function drawClock(
  text: string,
  { width, height }: Pick<TestCamera, 'width' | 'height'>,
  put: (x: number, y: number, colour: Colour) => void,
): void {
  const dot = Math.floor(Math.min((width * 0.9) / clockDots.columns, height / clockDots.rows));
  const left = Math.floor((width - clockDots.columns * dot) / 2);
  const top = Math.floor((height - clockDots.rows * dot) / 2);
  for (let y = 0; y < clockDots.rows * dot; y += 1)
    for (let x = 0; x < clockDots.columns * dot; x += 1) {
      const [column, row] = [Math.floor(x / dot) - 1, Math.floor(y / dot) - 1];
      const bits = dots[text[Math.floor(column / letterWidth)] ?? '']?.[row] ?? 0;
      const isLit = column >= 0 && (bits & (4 >> (column % letterWidth))) !== 0;
      put(left + x, top + y, isLit ? [235, 235, 235] : [16, 16, 16]);
    }
}
