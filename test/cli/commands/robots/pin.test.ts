import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

test('a robot is pinned for a time with a reason, shows it, and is unpinned', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-1');
  const release = await make.release();
  const pin = ['robots', 'pin', 'amr-1', '--release', release.tag];
  expect((await home.cli([...pin, '--until', '3d'])).stderr).toContain('missing flag --reason <text>');
  const wrong = await home.cli([...pin, '--until', 'someday', '--reason', 'demo']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--until: "someday" is not a time')]);
  const done = await home.cli([...pin, '--until', '3d', '--reason', 'demo', '--fields', 'tag,reason']);
  expect([done.code, done.stdout]).toEqual([0, `${release.tag}\tdemo\n`]);
  const { pin: stored } = (await world.call('GET', '/api/robots?pinned=true')).body.items[0];
  expect(Math.round((Date.parse(stored.until) - Date.now()) / 3_600_000)).toBe(72);
  const shown = await home.cli(['robots', 'show', 'amr-1', '--no-color'], { columns: 160 });
  expect(shown.stdout).toMatch(/PINNED +nav-.* until .*: demo \(an org token ending in ....\)/);
  expect((await home.cli(['robots', 'list', '--pinned', '--fields', 'name'])).stdout).toBe('amr-1\n');
  expect((await home.cli(['robots', 'unpin', 'amr-1', '--dry-run'])).stderr).toContain('Unpin robot amr-1');
  expect((await home.cli(['robots', 'unpin', 'amr-1'])).code).toBe(0);
  expect((await home.cli(['robots', 'list', '--pinned', '--fields', 'name'])).stdout).toBe('');
  expect((await home.cli(['robots', 'unpin', 'amr-1'])).code).not.toBe(0);
});
