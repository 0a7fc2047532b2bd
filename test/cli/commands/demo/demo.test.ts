import { expect, test } from 'vitest';
import { startHome } from '../../../support/cli.ts';
import { startWorld } from '../../../support/world.ts';

test('a service on another machine is not changed without --yes', async () => {
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  for (const line of [['demo'], ['demo', '--remove']]) {
    const { code, stderr } = await home.cli([...line, '--base-url', 'https://fleet.example.com']);
    expect([code, stderr]).toEqual([
      2,
      'Error: https://fleet.example.com is not on this machine, and the demo would change it\n  Add --yes if you want that\n',
    ]);
  }
});

test('an org without a demo has nothing to remove', async () => {
  await using world = await startWorld();
  await using home = await startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: world.url });
  const { code, stderr } = await home.cli(['demo', '--remove']);
  expect([code, stderr]).toEqual([0, 'Nothing to remove: this org has no demo.\n']);
});
