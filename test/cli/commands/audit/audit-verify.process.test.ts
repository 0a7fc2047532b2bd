import { expect, test } from 'vitest';
import { addEntries, unguarded } from '../../../support/audit-log.ts';
import { signedInHome, type Home } from '../../../support/cli.ts';
import { startIsolatedWorld, type World } from '../../../support/world.ts';

const verify = (home: Home, ...args: string[]) => home.cli(['audit', 'verify', ...args]);

/** A log of `length` entries that is sealed, and its head. */
async function sealedLog(world: World, home: Home, length: number): Promise<string> {
  await addEntries(world.db, world.orgId, length - 1, '{"name":"Osaka","size":1.50}');
  const { code, stdout, stderr } = await verify(home);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^${length}:[0-9a-f]{64}\\n$`));
  return stdout.trim();
}

test('a log that is whole ends with 0 and its head, which the next call begins at', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const head = await sealedLog(world, home, 2_150);
  expect(await verify(home, '--from', head)).toMatchObject({ code: 0, stdout: `${head}\n` });
  await world.call('POST', '/api/sites', { body: { name: 'Kyoto' } });
  const next = await verify(home, '--from', head, '--json');
  const { data } = JSON.parse(next.stdout) as { data: { entries: number; seq: number; hash: string; head: string } };
  // The entry of the head itself is looked at too.
  expect(data).toMatchObject({ entries: 2, seq: 2_151, head: `2151:${data.hash}` });
  expect((await verify(home, '--from', data.head)).stdout).toBe(`${data.head}\n`);
  const first = await verify(home, '--fields', 'entries,seq');
  expect(first).toMatchObject({ code: 0, stdout: '2151\t2151\n' });
});

const fields = {
  at: "at = at + interval '1 ms'",
  actor_kind: "actor_kind = 'user'",
  actor_id: "actor_id = 'somebody'",
  token_id: 'token_id = gen_random_uuid()',
  request_id: "request_id = 'another'",
  operation: "operation = 'deleteSite'",
  object_kind: "object_kind = 'fleet'",
  object_id: "object_id = 'another'",
  before: `before = '{"name":"Kyoto"}'`,
  after: `after = '{"name":"Kyoto","size":1.5}'`,
  hash: "hash = sha256('')",
};

test('a change of any field of an entry is told with its number, and with 1', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await sealedLog(world, home, 30);
  const [was] = await world.db('audit').where({ seq: 17 }).select('*');
  for (const [name, change] of Object.entries(fields)) {
    await unguarded(world.db, `update audit set ${change} where seq = 17`);
    const { code, stdout, stderr } = await verify(home);
    expect({ code, stdout }, name).toEqual({ code: 1, stdout: '' });
    expect(stderr, name).toContain('the audit log is not intact: entry 17 does not fit its hash');
    await unguarded(world.db, 'delete from audit where seq = 17');
    await world.db('audit').insert(was);
  }
  expect((await verify(home)).code).toBe(0);
  // The same value in other digits is the same to every reader.
  await unguarded(world.db, `update audit set after = '{"size":1.5000,"name":"Osaka"}' where seq = 17`);
  expect((await verify(home)).code).toBe(0);
});

const numbersFrom = (seq: number, by: number) => `update audit set seq = seq + ${by} where seq >= ${seq}`;

test.each([
  ['an entry is removed', ['delete from audit where seq = 17'], 'entry 17 is missing: after 16 follows 18'],
  [
    'one is removed and the others are renumbered',
    ['delete from audit where seq = 17', numbersFrom(18, -1)],
    'entry 17 does not fit its hash',
  ],
  ['the first is removed', ['delete from audit where seq = 1'], 'entry 1 is missing: after 0 follows 2'],
  [
    'two change places',
    [
      'update audit set seq = case seq when 17 then -18 else -17 end where seq in (17, 18)',
      'update audit set seq = -seq where seq < 0',
    ],
    'entry 17 does not fit its hash',
  ],
  [
    'one is put in',
    [
      numbersFrom(17, 1),
      "insert into audit (org_id, id, seq, actor_kind, operation, object_kind, object_id, hash) select org_id, gen_random_uuid(), 17, 'admin', 'createSite', 'site', 'x', sha256('x') from audit where seq = 1",
    ],
    'entry 17 does not fit its hash',
  ],
  [
    'one is made anew with a hash that fits it',
    ["update audit set object_id = 'x', hash = null where seq = 17"],
    'entry 18 does not fit its hash',
  ],
  ['all of it is gone', ['delete from audit'], 'the log is empty'],
])('where %s, the first entry that does not fit is named', async (_, changes, told) => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  await sealedLog(world, home, 30);
  // Numbers are unique at every moment of a statement.
  await unguarded(world.db, 'alter table audit drop constraint audit_org_id_seq_key');
  for (const change of changes) await unguarded(world.db, change);
  const { code, stdout, stderr } = await verify(home);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(told);
});

test('a head that was kept shows a log that was made anew, or cut, behind which every hash fits', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const head = await sealedLog(world, home, 30);
  await unguarded(world.db, 'delete from audit where seq > 29');
  expect((await verify(home)).code).toBe(0);
  expect((await verify(home, '--from', head)).stderr).toContain('entry 30 is missing: the log ends before it');
  await unguarded(world.db, 'delete from audit where seq > 20');
  expect((await verify(home, '--from', head)).stderr).toContain('entry 30 is missing: the log ends before it');
  // The second entry is the last one for which the log is read from its beginning.
  const second = `2:${'a'.repeat(64)}`;
  expect((await verify(home, '--from', second)).stderr).toContain('entry 2 is not the one of --from');
  await unguarded(world.db, 'delete from audit where seq > 1');
  expect((await verify(home, '--from', second)).stderr).toContain('entry 2 is missing: the log ends before it');
  await addEntries(world.db, world.orgId, 19);
  await addEntries(world.db, world.orgId, 10);
  const anew = await verify(home);
  expect(anew.stdout).toMatch(/^30:/);
  const { code, stderr } = await verify(home, '--from', head, '--json');
  expect(code).toBe(1);
  expect(stderr).toContain('entry 30 is not the one of --from');
});

test.each([
  '30',
  '30:abc',
  '0:' + 'a'.repeat(64),
  '99999999999999999:' + 'a'.repeat(64),
  'x:' + 'a'.repeat(64),
  '3:' + 'A'.repeat(64),
])('--from %s is no head, and nothing is asked', async (from) => {
  await using home = await signedInHome({ url: 'http://127.0.0.1:1', orgToken: 'svc_org_x', adminToken: '' });
  const { code, stderr } = await verify(home, '--from', from);
  expect(code).toBe(2);
  expect(stderr).toContain('is not the head of an audit log');
});
