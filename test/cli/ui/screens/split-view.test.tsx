import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { App } from '../../../../cli/ui/App.tsx';
import { fakeUi, logLines, robotNamed } from '../../../support/fake-ui.ts';
import { pressAll } from '../../../support/ui-data-harness.ts';

function start(columns: number, rows = 24) {
  const fake = fakeUi({ place: { screen: 'robots' }, size: { columns, rows } });
  const conditions = [{ rule_id: 'r', name: 'battery low', severity: 'degraded' }];
  const sick = { health_status: 'degraded', conditions, labels: { tier: 'canary' } } as never;
  fake.feeds.robots.fill([robotNamed('amr-1'), robotNamed('amr-2', sick)]);
  for (const name of ['amr-1', 'amr-2'])
    fake.feeds.health(`id-${name}`).feed({ online: true, lastSeenAt: undefined, points: [{ atMs: Date.now(), snapshot: { cpu: { percent: 31 } } }] }); // prettier-ignore
  const shown = render(<App ui={fake.ui} />);
  return {
    ...fake,
    frame: () => stripVTControlCharacters(shown.lastFrame() ?? ''),
    [Symbol.dispose]: () => shown.unmount(),
  };
}

test.each([
  [120, 30],
  [200, 50],
])(
  'at %ix%i v shows the robot under the cursor beside the list, then its logs, then nothing, and it is kept',
  async (columns, rows) => {
    using shown = start(columns, rows);
    pressAll(shown, 'v');
    await expect.poll(shown.frame).toMatch(/│ amr-1 {2}● online/);
    pressAll(shown, 'j');
    await expect.poll(shown.frame).toMatch(/│ amr-2 {2}▲ degraded: battery low[^]*tier=canary[^]*31%/);
    const lines = shown.frame().split('\n');
    expect(lines).toHaveLength(rows);
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    expect(shown.ui.preferences.get().split).toBe('details');
    pressAll(shown, 'v');
    shown.tail.add(logLines(1, 5, { robotId: 'id-amr-2' }));
    await expect.poll(shown.frame).toContain('line 5');
    expect(shown.tailed.at(-1)).toEqual(['id-amr-2']);
    pressAll(shown, 'v');
    await expect.poll(shown.frame).not.toContain('│');
    expect(shown.ui.preferences.get().split).toBeUndefined();
  },
);

test('nothing is requested of the robots that the cursor only passes', async () => {
  using shown = start(120);
  pressAll(shown, 'v', 'v');
  await expect.poll(() => shown.tailed.at(-1)).toEqual(['id-amr-1']);
  pressAll(shown, 'j', 'k', 'j');
  await expect.poll(() => shown.tailed.at(-1)).toEqual(['id-amr-2']);
  const asked = shown.tailed.map(([id]) => id);
  expect(asked.lastIndexOf('id-amr-1')).toBeLessThan(asked.indexOf('id-amr-2'));
});

test('with less than 120 columns v says how many it needs, and a kept split waits for them', async () => {
  using shown = start(119);
  pressAll(shown, 'v');
  expect(shown.ui.notice.get()?.text).toContain('this needs a terminal of 120 columns');
  shown.ui.preferences.set({ lists: {}, split: 'details' });
  await expect.poll(shown.frame).not.toContain('│');
  shown.size.set({ columns: 120, rows: 24 });
  await expect.poll(shown.frame).toContain('│ amr-1');
});
