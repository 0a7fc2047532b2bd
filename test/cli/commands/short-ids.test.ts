import { expect, test } from 'vitest';
import { signedInHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { startWorld, type World } from '../../support/world.ts';

async function withTwoRobots(world: World): Promise<void> {
  const make = factories(world);
  const key = await make.key();
  // Rows of their own: the tokens of an enrolled robot refer to its ID.
  for (const [name, id] of [
    ['amr-1', '0198c5a2-6a60-7e10-b1f0-3f6f1111abcd'],
    ['amr-2', '0198c5a2-6a60-7e10-b1f0-3f6f2222abcd'],
  ])
    await world.db('robots').insert({
      org_id: world.orgId,
      id,
      name,
      site_id: key.site_id,
      fleet_id: key.fleet_id,
      enrollment_key_id: key.id,
    });
}

test('an object is named by the last digits of its ID; several that end alike are listed, and nothing is done', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withTwoRobots(world);
  const show = (text: string) => home.cli(['robots', 'show', text, '--fields', 'name']);
  expect(await show('1111abcd')).toMatchObject({ code: 0, stdout: 'amr-1\n' });
  expect(await show('2222ABCD')).toMatchObject({ code: 0, stdout: 'amr-2\n' });
  const several = await show('abcd');
  expect(several.code).toBe(2);
  expect(several.stderr).toContain('the IDs of several robots end with "abcd"');
  expect(several.stderr).toMatch(/3f6f1111abcd \(amr-1, created .*3f6f2222abcd \(amr-2, created /);
  const none = await show('eeee1111');
  expect(none.code).toBe(5);
  expect(none.stderr).toContain('robot "eeee1111" not found');
});

test('a name comes before the end of an ID', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  await withTwoRobots(world);
  await world.db('robots').where({ org_id: world.orgId, name: 'amr-2' }).update({ name: '1111abcd' });
  const shown = await home.cli(['robots', 'show', '1111abcd', '--fields', 'id']);
  expect(shown.stdout).toBe('0198c5a2-6a60-7e10-b1f0-3f6f2222abcd\n');
});

test('what a table prints as an ID is accepted where an ID is: deployments, keys, tokens, maintenance windows', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  await make.robot('amr-1', key);
  const release = await make.release({ tag: 'nav-1.8.2' });
  await make.deployment({ release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id });
  const firstCell = async (...words: string[]) => {
    const { stdout } = await home.cli([...words, '--no-color'], { columns: 80 });
    expect(stdout).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    return /^([0-9a-f]{8}) /m.exec(stdout)?.[1] ?? stdout;
  };
  const deployment = await firstCell('deployments', 'list');
  const shown = await home.cli(['deployments', 'show', deployment, '--fields', 'release_id']);
  expect(shown).toMatchObject({ code: 0, stdout: `${release.id}\n` });
  const revoked = await home.cli(['keys', 'revoke', await firstCell('keys', 'list'), '--fields', 'id']);
  expect(revoked).toMatchObject({ code: 0, stdout: `${key.id}\n` });
  const token = await firstCell('tokens', 'list', '--kind', 'robot');
  expect((await home.cli(['tokens', 'revoke', token])).code).toBe(0);
  await home.cli(['maintenance', 'start', '--robot', 'amr-1', '--reason', 'floor work']);
  const window = await firstCell('maintenance', 'list');
  expect((await home.cli(['maintenance', 'end', window])).code).toBe(0);
  const unknown = await home.cli([
    'deployments',
    'show',
    deployment.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ]);
  expect(unknown.code).toBe(5);
  expect(unknown.stderr).toContain(`Did you mean ${deployment}?`);
});
