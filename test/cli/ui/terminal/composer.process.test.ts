import headless from '@xterm/headless';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { painted } from '../../../../cli/ui/components/paint.ts';
import { Composer } from '../../../../cli/ui/terminal/composer.ts';
import InkOutput from '../../../../node_modules/ink/build/output.js';

const size = { width: 30, height: 6 };
const terminal = new headless.Terminal({ cols: size.width, rows: size.height, allowProposedApi: true });
afterAll(() => terminal.dispose());
const asItIs = () => ({ transformers: [] });

type Frame = Pick<Composer, 'write' | 'clip' | 'unclip' | 'get'>;
type Draw = (frame: Frame) => void;

function composed(draw: Draw): string[] {
  const frame = new Composer(size);
  draw(frame);
  return frame.get().output.split('\n');
}

/** Each cell of the screen that shows the frame, with how it looks. */
async function cellsOf(frame: Frame): Promise<string[]> {
  terminal.reset();
  await new Promise<void>((resolve) => terminal.write(frame.get().output.replaceAll('\n', '\r\n'), resolve));
  const lines = Array.from({ length: size.height }, (_, row) => terminal.buffer.active.getLine(row));
  const cells = lines.flatMap((line) => Array.from({ length: size.width }, (_, column) => line?.getCell(column)));
  return cells.map((cell) => {
    const looks = [cell?.getFgColor(), cell?.getBgColor(), cell?.isBold(), cell?.isInverse()];
    return `${cell?.getChars() || ' '} ${looks.map(Number).join(' ')}`;
  });
}

/** Not dim: beside bold Ink loses it. */
const look = fc.record(
  {
    color: fc.constantFrom('red', 'green', 'ansi256(245)', '#102030'),
    backgroundColor: fc.constantFrom('blue'),
    bold: fc.constant(true),
    inverse: fc.constant(true),
  },
  { requiredKeys: [] },
);
const text = fc.array(fc.tuple(fc.stringMatching(/^[a-e ●]{1,6}$/), look), { minLength: 1, maxLength: 4 });
const place = fc.record({ x: fc.nat(8), y: fc.nat(size.height) });
const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), place, lines: fc.array(text, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('clip' as const), place, columns: fc.integer({ min: 1, max: 20 }), rows: fc.integer({ min: 1, max: 4 }) }), // prettier-ignore
  fc.record({ kind: fc.constant('unclip' as const) }),
);

test('whatever lies over what, the screen is the one that Ink makes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const draw: Draw = (frame) => {
        for (const each of steps)
          if (each.kind === 'write')
            frame.write(
              each.place.x,
              each.place.y,
              each.lines.map((parts) => parts.map(([word, style]) => painted(word, style)).join('')).join('\n'),
              asItIs(),
            );
          else if (each.kind === 'clip')
            frame.clip({ x1: each.place.x, x2: each.place.x + each.columns, y1: each.place.y, y2: each.place.y + each.rows }); // prettier-ignore
          else frame.unclip();
      };
      const [ours, inks] = [new Composer(size), new InkOutput(size)];
      draw(ours);
      draw(inks);
      expect(await cellsOf(ours)).toEqual(await cellsOf(inks));
    }),
  );
});

test('a line is painted by what is told to, and stays the very text where nothing lies over it', () => {
  const red = painted('a line', { color: 'red' });
  expect(composed((frame) => frame.write(2, 1, '.\n.', { transformers: [(_, index) => (index === 0 ? red : 'b')] }))).toEqual(['', `  ${red}`, '  b', '', '', '']); // prettier-ignore
});

test('of a sign of two cells that is half covered nothing is left, and what is beside it stays in its columns', () => {
  const lines = composed((frame) => {
    frame.write(0, 0, '日本語ロボ', asItIs());
    frame.write(3, 0, 'abc', asItIs());
  });
  expect(lines[0]).toBe('日 abcロボ');
});
