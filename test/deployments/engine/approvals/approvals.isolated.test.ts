import { expect, test } from 'vitest';
import { expireApprovals } from '../../../../src/deployments/engine/approvals/expire-approvals.ts';
import { awaits, startApprovals } from './support.ts';

const approval = { people: 2 };

test('a deployment that needs approval begins when enough people approved its plan, with exactly these robots', async () => {
  await using it = await startApprovals();
  const [ana, bob] = [await it.person('ana'), await it.person('bob')];
  const id = await it.order({ approval });
  expect(await it.view(id)).toMatchObject({
    status: 'paused',
    paused: { code: 'approval' },
    waiting_on: { code: 'approval' },
    plan_id: expect.any(String),
    rollout: { approval: { people: 2, role: 'operator', expires: '1d' } },
    approval: { wave: 0, people: 2, role: 'operator', approved_by: [], expires_at: expect.any(String) },
  });
  const late = await it.robots(1);
  expect((await it.decide(id, ana, { reason: 'tested' })).body.data).toMatchObject({
    request: { approved_by: ['ana@example.com'] },
    author: { kind: 'org', name: 'org token' },
    decisions: [{ wave: 0, decision: 'approve', by: { kind: 'user', name: 'ana@example.com' }, reason: 'tested' }],
  });
  expect((await it.view(id)).status).toBe('paused');
  const done = await it.decide(id, bob);
  expect(done.body.data).not.toHaveProperty('request');
  await it.reaches(id, 'pending');
  const planned = (await it.targets(id)).map(({ robot_id: robot }) => robot);
  expect(planned).toEqual(it.links.map(({ robotId }) => robotId).sort());
  expect(planned).not.toContain(late[0]?.robotId);
  expect(await it.story(id)).toEqual([
    'scheduled',
    'paused approval',
    'paused approved',
    'paused approved',
    'scheduled',
    'pending',
    'pending wave_started',
  ]);
  expect((await it.world.call('GET', '/api/audit?operation=createDeploymentApproval')).body.items).toHaveLength(2);
  await it.check();
});

test('a scheduled deployment that was approved begins at its time', async () => {
  await using it = await startApprovals();
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const id = await it.order({ approval: {} }, { scheduled_at: at });
  await it.decide(id, await it.person('ana'));
  expect(await it.view(id)).toMatchObject({ status: 'scheduled', scheduled_at: at, waiting_on: { code: 'schedule' } });
  await it.fallDue(id);
  await it.reaches(id, 'pending');
});

test('who may not approve is refused: the author, a role that is too low, the other plan, and who was there before', async () => {
  await using it = await startApprovals();
  const [ana, viewer] = [await it.person('ana', 'admin'), await it.person('vic', 'viewer')];
  const id = await it.order({ approval: { people: 2, role: 'admin' } });
  const refused = async (token: string, more?: object) => {
    const { status, body } = await it.decide(id, token, more);
    return [status, body.error?.message];
  };
  expect(await refused(it.world.orgToken)).toEqual([403, 'the author of a deployment cannot approve it']);
  expect(await refused(it.world.orgToken, { decision: 'reject' })).toEqual([
    403,
    'the author of a deployment cannot reject it',
  ]);
  expect(await refused(viewer)).toEqual([403, 'needs admin or higher, as the rollout requires; this token is viewer']);
  expect(await refused(await it.person('oli'))).toEqual([
    403,
    'needs admin or higher, as the rollout requires; this token is operator',
  ]);
  expect(await refused(ana, { plan_hash: '0'.repeat(64) })).toEqual([
    409,
    'the deployment executes another plan: its hash is not this plan_hash; read it again',
  ]);
  expect(await refused(ana, { wave: 1 })).toEqual([
    409,
    'the deployment waits for approval of its beginning, not of wave 1',
  ]);
  expect(await it.view(id)).toMatchObject({ approval: { approved_by: [] } });

  expect((await it.decide(id, ana)).status).toBe(200);
  expect((await it.decide(id, ana)).status).toBe(200);
  expect(await it.view(id)).toMatchObject({ status: 'paused', approval: { approved_by: ['ana@example.com'] } });
  expect(await it.world.count('deployment_approvals')).toBe(1);
});

test('a person counts once, whatever their token, and is the author with each of them', async () => {
  await using it = await startApprovals();
  const ana = await it.person('ana', 'admin');
  const me = (await it.world.call('GET', '/api/users')).body.items.find(
    ({ email }: { email: string }) => email === 'ana@example.com',
  );
  const second = (await it.world.call('POST', `/api/users/${me.id}/tokens`, { body: {} })).body.data.value as string;
  const id = await it.order({ approval: { people: 2 } });
  await it.decide(id, ana);
  expect((await it.decide(id, second)).status).toBe(200);
  expect(await it.view(id)).toMatchObject({ status: 'paused', approval: { approved_by: ['ana@example.com'] } });

  const made = await it.world.call('POST', '/api/deployments', {
    token: ana,
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: {
      release_id: it.releaseId,
      target_kind: 'fleet',
      target_id: it.fleetId,
      rollout: { waves: [{ count: 1 }], approval: {} },
    },
  });
  expect(made.status).toBe(201);
  expect((await it.decide(made.body.data.id, second)).status).toBe(403);
});

test('a rejection cancels what has not begun, and says why', async () => {
  await using it = await startApprovals();
  const [ana, bob] = [await it.person('ana'), await it.person('bob')];
  const id = await it.order({ approval });
  await it.decide(id, ana);
  const answer = await it.decide(id, bob, { decision: 'reject', reason: 'not on a Friday' });
  expect(answer.body.data.decisions).toMatchObject([
    { decision: 'approve', lapsed_at: expect.any(String) },
    { decision: 'reject', reason: 'not on a Friday' },
  ]);
  expect(await it.view(id)).toMatchObject({ status: 'cancelled', reason: 'rejected', ended_at: expect.any(String) });
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  expect(items.at(-1)).toMatchObject({ status: 'cancelled', reason: 'rejected', message: 'not on a Friday' });
  expect((await it.decide(id, bob, { decision: 'reject' })).status).toBe(200);
  expect((await it.decide(id, ana)).body.error.message).toBe(
    'the deployment does not wait for approval: it is cancelled',
  );
  await it.check();
});

test('nothing but approvals continues it: no resume, no advance, no replica of the previous release', async () => {
  await using it = await startApprovals();
  const id = await it.order({ approval });
  const messages = await Promise.all(
    ['resume', 'advance'].map(async (what) => {
      const { status, body } = await it.world.call('POST', `/api/deployments/${id}/${what}`, { body: {} });
      return `${status} ${body.error.message}`;
    }),
  );
  const how = `409 the deployment waits for approval; approve it: POST /api/deployments/${id}/approvals`;
  expect(messages).toEqual([how, how]);
  const row = () => it.db('deployments').where({ id });
  await expect(row().update({ status: 'scheduled' })).rejects.toThrow(/deployments_approval_awaited/);
  await expect(
    row().update({
      approval_wave: null,
      status: 'pending',
      started_at: it.db.fn.now(),
      open_wave: 0,
      planned_at: it.db.fn.now(),
    }),
  ).rejects.toThrow(/deployments_approved/);
  await expect(row().update({ approval_hash: null })).rejects.toThrow(/deployments_approval_bound/);
  const pause = await it.world.call('POST', `/api/deployments/${id}/pause`, { body: {} });
  expect(pause.body.data).toMatchObject({ paused: { code: 'requested' }, approval: { wave: 0 } });
  expect((await it.world.call('POST', `/api/deployments/${id}/cancel`)).body.data.status).toBe('cancelled');
});

test('what nobody approved in time is cancelled once, by whichever replica is first, and is in the audit log', async () => {
  await using it = await startApprovals();
  const ana = await it.person('ana');
  const id = await it.order({ approval });
  await it.decide(id, ana);
  await it.db('deployment_plans').update({ expires_at: it.db.raw("now() - interval '1 day'") });
  expect((await it.decide(id, ana)).status).toBe(200); // its plan is kept
  await it.runOut(id);
  await Promise.all([expireApprovals(it.db, it.world.bus), expireApprovals(it.db, it.world.bus)]);
  expect(await it.view(id)).toMatchObject({ status: 'cancelled', reason: 'approval_expired' });
  expect((await it.story(id)).filter((line) => line.includes('approval_expired'))).toEqual([
    'cancelled approval_expired',
  ]);
  const { items } = (await it.world.call('GET', `/api/audit?operation=cancelDeployment&object_id=${id}`)).body;
  expect(items).toMatchObject([{ actor_kind: 'system', after: { status: 'cancelled', reason: 'approval_expired' } }]);
  await it.check();
});

test('at the same time, of many approvals each counts once, and a cancel or a removed robot comes before or after', async () => {
  await using it = await startApprovals(6);
  const people = await Promise.all(Array.from({ length: 6 }, (_, n) => it.person(`p${n}`)));
  const [many, cancelled] = [await it.order({ approval: { people: 6 } }), await it.order({ approval: { people: 6 } })];
  const answers = await Promise.all(people.flatMap((token) => [it.decide(many, token), it.decide(many, token)]));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await it.db('deployment_approvals').where({ deployment_id: many })).length).toBe(6);
  await it.reaches(many, 'pending');

  const gone = it.links[0]?.robotId ?? '';
  const [, cancel] = await Promise.all([
    Promise.all(people.map((token) => it.decide(cancelled, token))),
    it.world.call('POST', `/api/deployments/${cancelled}/cancel`),
    it.world.call('DELETE', `/api/robots/${gone}`),
  ]);
  expect(cancel.status).toBe(200);
  await it.reaches(cancelled, 'cancelled');
  await expect
    .poll(async () => (await it.target(many, { robotId: gone, orgId: '', epoch: 1 }))?.status)
    .toBe('cancelled');
  await it.check();
});

test('a wave waits for approval of the next one, which begins with the last approval that it needs', async () => {
  await using it = await startApprovals();
  const [ana, bob] = [await it.person('ana'), await it.person('bob')];
  const id = await it.order({ approval, advance: { then: 'approval' } });
  await it.decide(id, ana);
  await it.decide(id, bob);
  await it.reaches(id, 'pending');
  expect(await it.work()).toBe(2);
  await awaits(it, id, 2);
  expect(await it.view(id)).toMatchObject({
    status: 'paused',
    paused: { code: 'approval', reason: 'wave 1: 2 of 2 robots applied it' },
    approval: { wave: 2, approved_by: [], expires_at: expect.any(String) },
    waiting_on: { code: 'approval' },
  });
  expect(await it.work()).toBe(0);
  const resume = await it.world.call('POST', `/api/deployments/${id}/resume`, { body: {} });
  expect(resume.status).toBe(409);
  await expect(it.db('deployments').where({ id }).update({ open_wave: 2 })).rejects.toThrow(/deployments_approved/);

  await it.decide(id, ana, { wave: 2 });
  expect(await it.work()).toBe(0);
  await it.runOut(id);
  await expect.poll(async () => (await it.view(id)).approval.approved_by as unknown).toEqual([]);
  expect(await it.view(id)).toMatchObject({ status: 'paused' });
  expect((await it.view(id)).approval).not.toHaveProperty('expires_at');
  expect((await it.story(id)).at(-1)).toBe('paused approval_expired');

  await it.decide(id, ana, { wave: 2 });
  expect((await it.view(id)).approval).toMatchObject({
    approved_by: ['ana@example.com'],
    expires_at: expect.any(String),
  });
  await it.decide(id, bob, { wave: 2 });
  await expect.poll(async () => (await it.view(id)).rollout.wave as unknown).toBe(2);
  expect(await it.work()).toBe(2);
  await it.reaches(id, 'applied');
  await it.check();
});

test('a rejected wave stays paused, and a resume requests approvals again', async () => {
  await using it = await startApprovals();
  const [ana, bob] = [await it.person('ana'), await it.person('bob')];
  const id = await it.order({ approval: {}, advance: { then: 'approval' } });
  await it.decide(id, ana);
  await it.reaches(id, 'pending');
  await it.work();
  await awaits(it, id, 2);
  await it.decide(id, bob, { decision: 'reject', reason: 'one robot limps' });
  const rejected = await it.view(id);
  expect(rejected).toMatchObject({ status: 'paused', paused: { code: 'rejected', reason: 'one robot limps' } });
  expect(rejected).not.toHaveProperty('approval');
  expect((await it.decide(id, ana)).body.error.message).toBe('the deployment does not wait for approval: it is paused');
  await it.world.call('POST', `/api/deployments/${id}/resume`, { body: {} });
  await awaits(it, id, 2);
  expect(await it.work()).toBe(0);
  await it.decide(id, bob, { decision: 'reject' });
  expect((await it.view(id)).paused.code).toBe('rejected');
  await it.world.call('POST', `/api/deployments/${id}/resume`, { body: {} });
  await awaits(it, id, 2);
  await it.decide(id, bob);
  await expect.poll(async () => (await it.view(id)).rollout.wave as unknown).toBe(2);
  await it.check();
});

test('a person who ends a wave early does not begin the next one without approval', async () => {
  await using it = await startApprovals();
  const ana = await it.person('ana');
  const id = await it.order({ approval: {}, advance: { then: 'approval' } });
  await it.decide(id, ana);
  await it.reaches(id, 'pending');
  expect((await it.world.call('POST', `/api/deployments/${id}/advance`, { body: {} })).status).toBe(200);
  await awaits(it, id, 2);
  expect(await it.world.call('POST', `/api/deployments/${id}/advance`, { body: {} })).toMatchObject({ status: 409 });
  await it.decide(id, ana);
  await expect.poll(async () => (await it.view(id)).rollout.wave as unknown).toBe(2);
});

test('a wave without robots needs no approval of its own', async () => {
  await using it = await startApprovals();
  const ana = await it.person('ana');
  const waves = [{ count: 2 }, { selector: 'tier=none' }];
  const id = await it.order({ waves, approval: {}, advance: { then: 'approval' } });
  await it.decide(id, ana);
  await it.reaches(id, 'pending');
  await it.work();
  await awaits(it, id, 2);
  await it.decide(id, ana);
  await expect.poll(async () => (await it.view(id)).rollout.wave as unknown).toBe(3);
  expect(await it.work()).toBe(2);
  await it.reaches(id, 'applied');
});

test('an approved plan is executed as it was approved, also if it was made before', async () => {
  await using it = await startApprovals();
  const plan = (
    await it.world.call('POST', '/api/deployment-plans', {
      body: {
        kind: 'release',
        release_id: it.releaseId,
        target_kind: 'fleet',
        target_id: it.fleetId,
        rollout: { waves: [{ count: 1 }], approval: {} },
      },
    })
  ).body.data;
  const made = await it.world.call('POST', '/api/deployments', {
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: { plan_id: plan.id },
  });
  expect(made.body.data).toMatchObject({ status: 'paused', plan_id: plan.id, approval: { plan_hash: plan.hash } });
  await it.decide(made.body.data.id, await it.person('ana'), { plan_hash: plan.hash });
  await it.reaches(made.body.data.id, 'pending');
});
