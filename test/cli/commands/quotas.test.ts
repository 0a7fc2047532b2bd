import { expect, test } from 'vitest';
import { signedInHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { startIsolatedWorld } from '../../support/world.ts';

test('the operator sets the limits of an org one by one, and its members see them', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await factories(world).robot();
  const set = (...flags: string[]) => home.cli(['admin', 'orgs', 'set-quotas', world.orgId, ...flags]);
  expect((await set('--max-robots', '1', '--max-artifact-bytes', '2048')).code).toBe(0);
  const drawn = await home.cli(['org', 'quotas'], { columns: 80, env: { NO_COLOR: '1' } });
  expect(drawn.stdout).toMatch(/ROBOTS +1 of 1\r?\n/);
  expect(drawn.stdout).toMatch(/ARTIFACT BYTES +0 B of 2\.0 KiB/);
  expect((await set('--max-robots', 'none')).code).toBe(0);
  const shown = await home.cli(['admin', 'orgs', 'quotas', world.orgId]);
  expect(shown.stdout).toBe('artifact_bytes\t2048\nused.artifact_bytes\t0\nused.live_streams\t0\nused.robots\t1\n');
});

test('limits that are no number, and none at all, are refused before a request', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const wrong = await home.cli(['admin', 'orgs', 'set-quotas', world.orgId, '--max-robots', 'many']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--max-robots must be a whole number or none, not "many"');
  const empty = await home.cli(['admin', 'orgs', 'set-quotas', world.orgId]);
  expect(empty.code).toBe(2);
  expect(empty.stderr).toContain('Name at least one: --max-robots');
  expect(await world.db('org_quotas')).toEqual([]);
});

test('an org is named by its name, by the ID that a table prints, or by its ID', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const create = async (name: string) =>
    (await home.cli(['admin', 'orgs', 'create', name, '--fields', 'id'])).stdout.trim();
  const id = await create('Acme Robotics');
  expect((await home.cli(['admin', 'orgs', 'approve', 'Acme Robotics'])).code).toBe(0);
  for (const org of ['Acme Robotics', 'acme robotics', id.slice(-8), id]) {
    const set = await home.cli(['admin', 'orgs', 'set-quotas', org, '--max-robots', '7', '--fields', 'robots']);
    expect(set).toMatchObject({ code: 0, stdout: '7\n' });
    const shown = await home.cli(['admin', 'orgs', 'quotas', org, '--fields', 'robots']);
    expect(shown).toMatchObject({ code: 0, stdout: '7\n' });
  }
  for (const [move, status] of [
    ['suspend', 'suspended'],
    ['resume', 'approved'],
  ] as const) {
    const moved = await home.cli(['admin', 'orgs', move, 'Acme Robotics', '--fields', 'id,status']);
    expect(moved).toMatchObject({ code: 0, stdout: `${id}\t${status}\n` });
  }
  expect((await home.cli(['admin', 'orgs', 'token', 'Acme Robotics'])).code).toBe(0);

  const unknown = await home.cli(['admin', 'orgs', 'suspend', 'Acme Robotic']);
  expect(unknown.code).toBe(5);
  expect(unknown.stderr).toContain('Did you mean "Acme Robotics"? List orgs with: cli admin orgs list');
  const second = await create('Acme Robotics');
  const several = await home.cli(['admin', 'orgs', 'suspend', 'Acme Robotics']);
  expect(several.code).toBe(2);
  expect(several.stderr).toContain('2 orgs match "Acme Robotics"');
  expect(several.stderr).toMatch(new RegExp(`${id}, ${second}|${second}, ${id}`));
});
