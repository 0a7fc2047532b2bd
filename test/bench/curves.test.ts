import { expect, test } from 'vitest';
import { drawChart } from './curves/chart.ts';
import { sectionOf } from './curves/page.ts';
import { replaceSection } from './harness/section.ts';

const chart = {
  title: 'Requests <all>',
  x: 'robots',
  y: 'ms',
  series: [
    {
      name: 'a page',
      points: [
        [1_000, 2],
        [1_000_000, 4],
      ] as const,
    },
  ],
};

test('a chart shows every point within its axes, and a cost that doubles as less than a third of its height', () => {
  const svg = drawChart(chart);
  const places = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(places.map(([x]) => x)).toEqual([70, 680]);
  const [low = 0, high = 0] = places.map(([, y]) => y);
  expect(low).toBeLessThanOrEqual(300);
  expect(low - high).toBeGreaterThan(60);
  expect(low - high).toBeLessThan(84);
});

test('a chart labels each decade, and text cannot end an element', () => {
  const svg = drawChart(chart);
  for (const label of ['1,000', '10,000', '100,000', '1,000,000']) expect(svg).toContain(`>${label}</text>`);
  expect(svg).toContain('Requests &lt;all>');
});

test('a curve replaces what is between its markers on the page, and nothing else', () => {
  const page = 'before\n<!-- curve a -->\nold\n<!-- end of curve a -->\nafter';
  expect(replaceSection(page, 'curve a', () => 'new\n')).toBe(
    'before\n<!-- curve a -->\n\nnew\n\n<!-- end of curve a -->\nafter',
  );
  expect(() => replaceSection(page, 'curve b', () => 'new')).toThrow('the page has no "<!-- curve b -->"');
});

test('the figures of a curve say when, and on which machine', () => {
  const at = new Date('2026-11-28T12:00:00Z');
  const section = sectionOf('robots', chart, { at, cores: 2, load: 3.14 });
  expect(section).toContain('on 2026-11-28, on a machine with 2 cores; other work ran on it, a load of 3.1.');
  expect(section).toContain('| 1,000,000 | 4 |');
  expect(sectionOf('robots', chart, { at, cores: 2, load: 0.1 })).toContain('no other work ran on it.');
});
