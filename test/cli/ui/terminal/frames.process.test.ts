import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelLine, wideNames } from '../../../support/ui-model.ts';
import { untilFull } from '../../../support/ui-full.ts';
import { builtUiProgram, type UiProgram } from '../../../support/ui-process.ts';
import { startUiScreen, type UiScreen } from '../../../support/ui-screen.ts';

let program: UiProgram;
beforeAll(async () => void (program = await builtUiProgram()));
afterAll(() => program[Symbol.asyncDispose]());

const count = (text: string, part: string) => text.split(part).length - 1;

/** The lines as the model says, at the tick that the first one tells. */
function modelOf(screen: UiScreen, columns: number, rows: number): string[] {
  const [first = ''] = screen.lines();
  const tick = Number(/^tick (\d+)/.exec(first)?.[1]);
  return [first, ...Array.from({ length: rows - 1 }, (_, row) => modelLine(row, tick, columns).trimEnd())];
}

/** Lets the model stand still, and the screen show it. */
async function settle(screen: UiScreen): Promise<void> {
  await screen.sees(/^tick /);
  screen.type('s');
  await screen.sees('[s]');
}

test('however the window changes under load, the screen shows what the model says', async () => {
  using screen = startUiScreen(program.words, { env: program.env, columns: 100, rows: 30 });
  const sizes = [
    [80, 30],
    [120, 40],
    [60, 15],
    [200, 50],
    [100, 30],
  ] as const;
  for (const [columns, rows] of sizes) {
    await screen.sees(/^tick [1-9]\d*/);
    screen.resize(columns, rows);
    await screen.sees(`${columns}x${rows}`);
  }
  await settle(screen);
  await expect.poll(() => screen.lines()).toEqual(modelOf(screen, 100, 30));
  // No colour runs on into a line that has none.
  for (const [index, line] of screen.lines().entries()) {
    const isRed = index > 0 && (index - 1) % 3 === 0;
    if (line !== '') expect(screen.isPlain(index)).toBe(!isRed);
  }
  screen.type('q');
  expect(await screen.ended).toBe(0);
  const written = screen.written();
  expect(count(written, '\u001b[3J')).toBe(0);
  expect(count(written, '\u001b[2J')).toBe(1 + sizes.length);
  expect(written).not.toContain('\u001bc');
});

test('what was typed before there was anything to see presses nothing', async () => {
  using screen = startUiScreen(program.words, { env: program.env });
  screen.type('ahead');
  await screen.sees(/^tick /);
  screen.type('z');
  await screen.sees('[z]');
  expect(screen.lines()[0]).toMatch(/^tick \d+ 80x24 \[z\]$/);
  screen.type('q');
  expect(await screen.ended).toBe(0);
});

test('only lines that changed are written', async () => {
  using screen = startUiScreen(program.words, { env: program.env });
  await settle(screen);
  const before = screen.written().length;
  screen.type('a');
  await screen.sees('[s][a]');
  expect(
    screen
      .written()
      .slice(before)
      .match(/\u001b\[\d+;1H/g),
  ).toEqual(['\u001b[1;1H']);
});

test('a terminal that stands still holds nothing up, and gets the last frame and not all of them', async () => {
  using screen = startUiScreen(program.words, { env: program.env, columns: 200, rows: 50 });
  await screen.sees(/^tick [1-9]\d*/);
  screen.stopReading();
  await untilFull(screen.pid);
  screen.type('b');
  const before = screen.written().length;
  screen.readOn();
  await screen.sees('[b]');
  expect(screen.written().length - before).toBeLessThan(150_000);
  await settle(screen);
  await expect.poll(() => screen.lines()).toEqual(modelOf(screen, 200, 50));
});

test('names of any script leave the columns beside them where they are', async () => {
  using screen = startUiScreen(program.words, { env: { ...program.env, NAMES: '1' } });
  await settle(screen);
  expect(screen.columnsOf('| ')).toEqual(wideNames.map(() => 20));
  for (const name of ['日本語ロボット', 'ｆｕｌｌ', '한국']) expect(screen.lines().join('\n')).toContain(name);
});

test('where there are no signs but those of ASCII no other is written', async () => {
  using screen = startUiScreen(program.words, { env: { ...program.env, NAMES: '1', ASCII: '1' } });
  await settle(screen);
  expect(screen.written()).toMatch(/^[\u0000-\u007e]*$/);
  expect(screen.columnsOf('| ')).toEqual(wideNames.map(() => 20));
  expect(screen.lines()[2]).toMatch(/^\?{14} {6}\|/);
});

test.each(['', '1', 'true'])('CI=%j in the environment changes nothing', async (CI) => {
  using screen = startUiScreen(program.words, { env: { ...program.env, CI } });
  await screen.sees(/^tick [1-9]\d*/);
  screen.resize(60, 15);
  await screen.sees('60x15');
  await settle(screen);
  await expect.poll(() => screen.lines()).toEqual(modelOf(screen, 60, 15));
});

test('two keys that came together give the terminal away once', async () => {
  using screen = startUiScreen(program.words, { env: { ...program.env, LINE: '["--version"]' } });
  await screen.sees(/^tick [1-9]\d*/);
  screen.type('hh');
  await screen.sees('code 0');
  screen.type('q');
  expect(await screen.ended).toBe(0);
  // It goes in at the start, and again behind the other line.
  expect(count(screen.written(), '\u001b[?1049h')).toBe(2);
  expect(screen.written().match(/\d+\.\d+\.\d+\S*\r\n/g)).toHaveLength(1);
});
