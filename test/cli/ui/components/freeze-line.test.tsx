import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { App } from '../../../../cli/ui/App.tsx';
import type { ScreenId } from '../../../../cli/ui/views.ts';
import { fakeUi } from '../../../support/fake-ui.ts';

const frozen = {
  frozen: true,
  frozen_at: new Date(Date.now() - 300_000).toISOString(),
  frozen_by: 'ops@example.com',
  reason: 'robots stop in aisle 4',
  held: 12,
  robots_with_orders: 41,
};

/** The whole interface on this screen. */
function start(screen: ScreenId) {
  const fake = fakeUi({ place: { screen }, size: { columns: 120, rows: 30 } });
  const shown = render(<App ui={fake.ui} />);
  const lines = () => stripVTControlCharacters(shown.lastFrame() ?? '').split('\n');
  return { ...fake, lines, [Symbol.dispose]: () => shown.unmount() };
}

test.each<ScreenId>(['overview', 'deployments'])(
  'while the org is frozen, the screen %s says who froze it, when and why, and how many robots have orders',
  async (screen) => {
    using shown = start(screen);
    const { freeze } = shown.feeds;
    freeze.feed(frozen);
    await expect
      .poll(() => shown.lines()[2])
      .toMatch(/▲ all deployments frozen \dm ago by ops@example\.com · 41 robots .* · robots stop in aisle 4$/);
    expect(shown.lines()).toHaveLength(30);
    freeze.feed({ frozen: false, held: 0, robots_with_orders: 0 });
    await expect.poll(() => shown.lines().join('\n')).not.toContain('frozen');
  },
);

test('a freeze is not shown on the list of robots, which does not keep it up to date', async () => {
  using shown = start('robots');
  shown.feeds.freeze.feed(frozen);
  shown.feeds.robots.fill([]);
  await expect.poll(() => shown.lines().join('\n')).toContain('No robots yet');
  expect(shown.lines().join('\n')).not.toContain('frozen');
});
