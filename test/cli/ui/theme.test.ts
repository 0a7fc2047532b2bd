import { expect, test } from 'vitest';
import { themeNames, type ThemeName } from '../../../cli/files/ui-settings.ts';
import { createTheme, type Tone } from '../../../cli/ui/theme.ts';
import { headlessUi } from '../../support/headless-ui.ts';
import type { Data } from '../../../cli/ui/data/data.ts';
import { pressAll } from '../../support/ui-data-harness.ts';

type Rgb = readonly [number, number, number];

/** A color of the 256, as all terminals have it. */
function rgbOf(index: number): Rgb {
  if (index >= 232) return [0, 1, 2].map(() => 8 + (index - 232) * 10) as unknown as Rgb;
  const steps = [0, 95, 135, 175, 215, 255];
  return [36, 6, 1].map((size) => steps[Math.floor((index - 16) / size) % 6] ?? 0) as unknown as Rgb;
}

const linear = (value: number) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map(linear) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG 2 defines it: 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const tones: readonly Tone[] = ['good', 'warn', 'bad', 'busy', 'quiet', 'accent'];
const looksOf = (name: ThemeName | undefined, colours: 'many' | 'few' | 'none' = 'many') =>
  createTheme({ isAscii: false, colours, name: () => name });

function colourOf(name: ThemeName, tone: Tone): Rgb {
  const { color = '' } = looksOf(name).look(tone);
  const [, index] = /^ansi256\((\d+)\)$/.exec(color) ?? [];
  if (index === undefined) throw new Error(`${name} ${tone} has a color that terminals change: ${color}`);
  return rgbOf(Number(index));
}

const [black, darkGrey, white, paper]: Rgb[] = [[0, 0, 0], [30, 30, 30], [255, 255, 255], [253, 246, 227]]; // prettier-ignore

test.each([
  ['dark', [black, darkGrey], 7],
  ['light', [white, paper], 4.5],
  ['high-contrast', [black, darkGrey], 9],
  ['color-blind', [black, darkGrey], 4.5],
] as [ThemeName, Rgb[], number][])(
  'every tone of %s has enough contrast on its backgrounds',
  (name, grounds, least) => {
    for (const tone of tones)
      for (const ground of grounds) expect(contrast(colourOf(name, tone), ground)).toBeGreaterThanOrEqual(least);
  },
);

/** What people without the receptors for green, or for red, see (Vienot, Brettel and Mollon, 1999), in linear light. */
const visions: Readonly<Record<string, readonly (readonly number[])[]>> = {
  deuteranopia: [[0.292, 0.708, 0], [0.292, 0.708, 0], [-0.022, 0.022, 1]],
  protanopia: [[0.112, 0.888, 0], [0.112, 0.888, 0], [0.004, -0.004, 1]],
}; // prettier-ignore

/** Distance of two colors in that vision: 0 is the same, black and white are 1.7 apart. */
function distance(vision: string, one: Rgb, other: Rgb): number {
  const seen = (rgb: Rgb) => (visions[vision] ?? []).map((row) => row.reduce((sum, share, at) => sum + share * linear(rgb[at] ?? 0), 0)); // prettier-ignore
  const [a, b] = [seen(one), seen(other)];
  return Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)));
}

test.each(Object.keys(visions))('good, warn and bad of color-blind differ with %s', (vision) => {
  const [good, warn, bad] = (['good', 'warn', 'bad'] as const).map((tone) => colourOf('color-blind', tone));
  if (!good || !warn || !bad) throw new Error('each tone has a color');
  for (const [one, other] of [
    [good, warn],
    [good, bad],
    [warn, bad],
  ] as const)
    // prettier-ignore
    expect(distance(vision, one, other)).toBeGreaterThan(0.3);
});

test('without colors no theme has any, and without a theme the colors are those of the terminal', () => {
  for (const name of [undefined, ...themeNames])
    for (const tone of tones) expect(looksOf(name, 'none').look(tone).color).toBeUndefined();
  expect(looksOf(undefined).look('good')).toEqual({ color: 'green' });
  expect(looksOf('light', 'few').look('good')).toEqual({ color: 'green' });
});

test('ctrl-t goes through the themes and back to the colors of the terminal, and without colors it says why not', () => {
  const { ui } = headlessUi({ data: {} as Data, place: { screen: 'logs' }, settings: { hasColours: true } });
  const seen = [...themeNames, undefined].map(() => {
    pressAll({ ui }, 'ctrl-t');
    return ui.preferences.get().theme;
  });
  expect(seen).toEqual([...themeNames, undefined]);
  const plain = headlessUi({ data: {} as Data, place: { screen: 'logs' } });
  pressAll(plain, 'ctrl-t');
  expect(plain.ui.notice.get()?.text).toBe('Next theme: colors are off');
});
