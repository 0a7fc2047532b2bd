import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld } from '../support/world.ts';

const path = '/api/rollout-policies';
const advance = { applied_percent: 100, min_ended: 1, soak: '0s', then: 'advance' };

test('a policy is created with all defaults, listed, read, changed and deleted', async () => {
  await using world = await startWorld();
  const rollout = {
    waves: [{ name: 'canaries', selector: 'tier=canary' }, { percent: 10 }],
    advance: { applied_percent: 95, soak: '30m', offline_after: '1h' },
    abort: [{ reasons: ['any'], percent: 5, min_ended: 3 }],
  };
  const created = await world.call('POST', path, { body: { name: 'careful', rollout } });
  const policy = created.body.data;
  expect([created.status, policy]).toEqual([
    201,
    {
      id: expect.any(String),
      name: 'careful',
      rollout: {
        waves: rollout.waves,
        advance: { ...advance, ...rollout.advance },
        abort: [{ ...rollout.abort[0], per: 'rollout', action: 'pause' }],
      },
      created_at: expect.any(String),
      updated_at: policy.created_at,
    },
  ]);
  const other = await factories(world).policy({ name: 'quick' });
  expect((await world.call('GET', path)).body).toEqual({ items: [policy, other] });
  const page = await world.call('GET', `${path}?limit=1`);
  expect(page.body.items).toEqual([policy]);
  expect((await world.call('GET', `${path}?limit=1&cursor=${page.body.next_cursor}`)).body).toEqual({ items: [other] });
  expect((await world.call('GET', `${path}?id_end=${policy.id.slice(-12)}`)).body.items).toEqual([policy]);

  const own = `${path}/${policy.id}`;
  expect((await world.call('GET', own)).body.data).toEqual(policy);
  const renamed = (await world.call('PATCH', own, { body: { name: 'very-careful' } })).body.data;
  expect(renamed).toEqual({ ...policy, name: 'very-careful', updated_at: expect.any(String) });
  expect(Date.parse(renamed.updated_at)).toBeGreaterThanOrEqual(Date.parse(policy.updated_at));
  expect((await world.call('DELETE', own)).body.data).toEqual(renamed);
  for (const method of ['GET', 'DELETE'])
    expect(await world.call(method, own)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', message: 'rollout policy not found' } },
    });
  expect((await world.call('GET', path)).body.items).toEqual([other]);
});

test('a change replaces the rollout as a whole: parts that it leaves out get their defaults', async () => {
  await using world = await startWorld();
  const before = {
    waves: [{ count: 1 }, { percent: 50 }],
    advance: { soak: '1h', offline_after: '1h', then: 'pause' },
    abort: [{ reasons: ['failed'], count: 1 }],
  };
  const { id } = await factories(world).policy({ rollout: before });
  const changed = await world.call('PATCH', `${path}/${id}`, { body: { rollout: { waves: [{ count: 2 }] } } });
  expect(changed.body.data.rollout).toEqual({ waves: [{ count: 2 }], advance, abort: [] });
  expect((await world.call('GET', `${path}/${id}`)).body.data).toEqual(changed.body.data);
});

test('a rollout that contradicts itself is refused with its field, and changes nothing', async () => {
  await using world = await startWorld();
  const policy = await factories(world).policy();
  const body = { rollout: { waves: [{ percent: 60 }, { percent: 60 }] } };
  const message = 'body.rollout.waves: the percentages add up to 120 %, more than all robots';
  for (const refused of [
    await world.call('POST', path, { body: { name: 'new', ...body } }),
    await world.call('PATCH', `${path}/${policy.id}`, { body }),
  ])
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
  expect((await world.call('GET', path)).body.items).toEqual([policy]);
});

test.each([
  ['@site=Oskaa', 'site "Oskaa" not found'],
  ['tier=canary,@fleet!=nowhere', 'fleet "nowhere" not found'],
  ['@capability=shel', 'unknown capability "shel"; use orders, shell, cameras, topics, signed_only, gates, windows'],
])('a wave for %s is refused, as it would be empty', async (selector, fault) => {
  await using world = await startWorld();
  const rollout = { waves: [{ selector, count: 1 }, { percent: 100 }] };
  const refusal = { error: { code: 'bad_request', message: `body.rollout.waves.0.selector: ${fault}` } };
  expect((await world.call('POST', path, { body: { name: 'careful', rollout } })).body).toEqual(refusal);
  const { id } = await factories(world).policy();
  expect((await world.call('PATCH', `${path}/${id as string}`, { body: { rollout } })).body).toEqual(refusal);
});

test('a name is unique in the org without regard to case, and free in another org', async () => {
  await using world = await startWorld();
  const make = factories(world);
  await make.policy({ name: 'careful' });
  const { id } = await make.policy({ name: 'quick' });
  const rollout = { waves: [{ count: 1 }] };
  const message = 'the org already has a rollout policy with this name';
  for (const refused of [
    await world.call('POST', path, { body: { name: 'CAREFUL', rollout } }),
    await world.call('PATCH', `${path}/${id}`, { body: { name: 'Careful' } }),
  ])
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict', message } } });
  expect((await world.call('PATCH', `${path}/${id}`, { body: { name: 'Quick' } })).body.data.name).toBe('Quick');
  await make.policy({ name: 'careful' }, (await make.org()).token);
});

test('the policies of another org do not exist', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const policy = await make.policy();
  const { token } = await make.org();
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', { name: 'mine' }],
    ['DELETE', undefined],
  ] as const)
    expect((await world.call(method, `${path}/${policy.id}`, { token, body })).status).toBe(404);
  expect((await world.call('GET', path, { token })).body.items).toEqual([]);
  expect((await world.call('GET', `${path}/${policy.id}`)).body.data).toEqual(policy);
});

test('an org has at most 100 policies, also if many are created at once', async () => {
  await using world = await startWorld();
  const rows = Array.from({ length: 99 }, (_, index) => ({
    org_id: world.orgId,
    id: randomUUID(),
    name: `policy ${index}`,
    rollout: { waves: [{ count: 1 }], advance, abort: [] },
  }));
  await world.db('rollout_policies').insert(rows);
  const bodyOf = (name: string) => ({ name, rollout: { waves: [{ count: 1 }] } });
  const create = (name: string) => world.call('POST', path, { body: bodyOf(name) });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`last ${index}`)));
  const [made, ...others] = answers.filter(({ status }) => status === 201);
  expect(others).toEqual([]);
  expect(await create('one too many')).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: 'the org has 100 rollout policies; delete one first' } },
  });
  await world.call('DELETE', `${path}/${made?.body.data.id}`);
  expect((await create('one too many')).status).toBe(201);
});

test('the audit log has each change with what it was before and after', async () => {
  await using world = await startWorld();
  const created = await factories(world).policy();
  const own = `${path}/${created.id}`;
  const changed = (await world.call('PATCH', own, { body: { rollout: { waves: [{ percent: 5 }] } } })).body.data;
  await world.call('DELETE', own);
  const { items } = (await world.call('GET', `/api/audit?object_id=${created.id}`)).body;
  const kind = { object_kind: 'rollout_policy' };
  expect(items).toMatchObject([
    { ...kind, operation: 'createRolloutPolicy', after: created },
    {
      ...kind,
      operation: 'updateRolloutPolicy',
      before: { rollout: created.rollout },
      after: { rollout: changed.rollout },
    },
    { ...kind, operation: 'deleteRolloutPolicy', before: changed },
  ]);
});
