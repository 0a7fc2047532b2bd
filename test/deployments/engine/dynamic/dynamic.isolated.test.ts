import { expect, test } from 'vitest';
import { createDeploymentEngine } from '../../../../src/deployments/api/service.ts';
import { createLogger } from '../../../../src/platform/logging.ts';
import { factories } from '../../../support/factories.ts';
import { rollBack, work } from '../rollbacks/support.ts';
import {
  cancel,
  newcomerOf,
  startIsolatedDeploymentWorld,
  type DeploymentWorld,
  type LinkedRobot,
} from '../support.ts';
import { forADay, label, look, matched, robotsAfterLook, view } from './support.ts';

const canary = { tier: 'canary' };

/** A dynamic deployment to canaries that the first robot applied, and robots that are none. */
async function startApplied(it: DeploymentWorld, count: number, more: object = {}) {
  const [first, ...others] = (await it.robots(count + 1)) as [LinkedRobot, ...LinkedRobot[]];
  await label(it, [first], canary);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { selector: 'tier=canary' }, { ...forADay(), ...more });
  await it.reaches(id, 'pending');
  await work(it, [first]);
  await it.reaches(id, 'applied');
  return { id, first, others: others as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot], release };
}

test('a robot that matches later receives a dynamic deployment once, also after it has ended', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, first, others } = await startApplied(it, 3);
  const [late, later] = others;
  expect(await robotsAfterLook(it, id)).toEqual([]);
  await label(it, [late], canary);
  expect(await robotsAfterLook(it, id)).toEqual([late.robotId]);
  const [made] = await matched(it, id);
  expect(await view(it, made?.id ?? '')).toMatchObject({
    status: 'pending',
    target_kind: 'selector',
    target_selector: 'tier=canary',
    caused_by: { kind: 'matched', deployment_id: id },
  });
  await work(it, [first, ...others]);
  await it.reaches(made?.id ?? '', 'applied');
  await label(it, [late], {});
  expect(await robotsAfterLook(it, id)).toEqual([late.robotId]);
  await label(it, [late, later], canary);
  expect(await robotsAfterLook(it, id)).toEqual([late.robotId, later.robotId]);
  expect((await view(it, id)).dynamic).toBe(true);
  expect((await it.story(id)).slice(-2)).toEqual(['applied matched', 'applied matched']);
  await it.check();
});

test('a robot that moves to the place, or enrolls there with older deployments of its fleet, receives it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: older } = await it.release();
  const [mover, member] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  const other = await it.world.call('POST', '/api/fleets', { body: { site_id: it.siteId, name: 'others' } });
  const move = (robot: LinkedRobot, fleetId: string) =>
    it.world.call('PATCH', `/api/robots/${robot.robotId}`, { body: { fleet_id: fleetId } });
  await move(mover, other.body.data.id);
  await it.deploy({ releaseId: older }, { fleet: it.fleetId });
  const { name } = (await it.world.call('GET', `/api/fleets/${it.fleetId}`)).body.data;
  const id = await it.deploy({ releaseId: (await it.release()).id }, { selector: `@fleet=${name}` }, forADay());
  await it.reaches(id, 'pending');
  expect(await robotsAfterLook(it, id)).toEqual([]);
  await move(mover, it.fleetId);
  const { newcomer } = await newcomerOf(it);
  expect((await robotsAfterLook(it, id)).sort()).toEqual([mover.robotId, newcomer.robotId].sort());
  expect((await it.targets(id)).map((target) => target.robot_id)).toEqual([member.robotId]);
  await it.check();
});

test('robots of another org that match do not receive it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id } = await startApplied(it, 1);
  const make = factories(it.world);
  const { token } = await make.org();
  const site = (await it.world.call('POST', '/api/sites', { token, body: { name: 'Osaka' } })).body.data;
  const fleet = await it.world.call('POST', '/api/fleets', { token, body: { site_id: site.id, name: 'pickers' } });
  const place = { site_id: site.id, fleet_id: fleet.body.data.id };
  const key = await it.world.call('POST', '/api/enrollment-keys', { token, body: place });
  const robot = await it.world.call('POST', '/agent/enroll', { token: key.body.data.value, body: {} });
  const robotId = robot.body.data.robot_id as string;
  await label(it, [{ orgId: it.world.orgId, robotId, epoch: 1 }], canary);
  expect(await it.db('robots').where({ id: robotId }).first('labels')).toEqual({ labels: canary });
  expect(await robotsAfterLook(it, id)).toEqual([]);
});

test('a robot that has the release already, or is to receive something newer, does not receive it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [has, newer, failed, first] = (await it.robots(4)) as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, [first], canary);
  const [{ id: releaseId }, { id: newRelease }] = [await it.release(), await it.release()];
  await it.reaches(await it.deploy({ releaseId }, { robot: has.robotId }), 'pending');
  await work(it, [has]);
  const id = await it.deploy({ releaseId }, { selector: 'tier=canary' }, forADay());
  await it.reaches(id, 'pending');
  for (const robot of [newer, failed]) {
    const made = await it.deploy({ releaseId: newRelease }, { robot: robot.robotId });
    await it.reaches(made, 'pending');
  }
  await work(it, [failed], 'failed');
  await label(it, [has, newer, failed], canary);
  expect(await robotsAfterLook(it, id)).toEqual([]);
});

test('a robot that runs a newer release and matches later keeps it, unless the deployment may be a downgrade', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [first, runsNewer, late] = (await it.robots(3)) as [LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, [first], canary);
  const [older, newer] = [await it.release(), await it.release()];
  await it.db('robot_reports').insert({
    org_id: it.world.orgId,
    robot_id: runsNewer.robotId,
    configs: '{}',
    releases: JSON.stringify({ file: { release_id: newer.id } }),
  });
  const deploy = async (more: object) => {
    const rollout = { waves: [{ percent: 100 }] };
    const id = await it.deploy(
      { releaseId: older.id },
      { selector: 'tier=canary' },
      { ...forADay(), rollout, ...more },
    );
    await it.reaches(id, 'pending');
    return id;
  };
  const id = await deploy({});
  await label(it, [runsNewer, late], canary);
  expect(await robotsAfterLook(it, id)).toEqual([late.robotId]);
  await label(it, [runsNewer, late], {});
  const allowing = await deploy({ allow_downgrade: true });
  await label(it, [runsNewer, late], canary);
  expect(await robotsAfterLook(it, allowing)).toContain(runsNewer.robotId);
  const [made] = await matched(it, allowing);
  expect(await view(it, made?.id ?? '')).toMatchObject({ allow_downgrade: true });
  await it.check();
});

test('robots that match later wait for the last wave, and for the end of a pause and of a freeze', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [one, two, late] = (await it.robots(3)) as [LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, [one, two], canary);
  const rollout = { waves: [{ count: 1 }, { percent: 100 }] };
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { selector: 'tier=canary' }, { ...forADay(), rollout });
  await it.reaches(id, 'pending');
  await label(it, [late], canary);
  expect(await robotsAfterLook(it, id)).toEqual([]);
  await work(it, [one, two]);
  await expect.poll(async () => (await view(it, id)).rollout.wave).toBe(2);
  await it.world.call('POST', `/api/deployments/${id}/pause`, { body: {} });
  expect(await robotsAfterLook(it, id)).toEqual([]);
  await it.world.call('POST', `/api/deployments/${id}/resume`, { body: {} });
  await work(it, [one, two]);
  await it.reaches(id, 'applied');
  await it.world.call('PUT', '/api/deployment-freeze', { body: { reason: 'robots stop' } });
  expect(await robotsAfterLook(it, id)).toEqual([]);
  await it.world.call('DELETE', '/api/deployment-freeze');
  expect(await robotsAfterLook(it, id)).toEqual([late.robotId]);
  await it.check();
});

const ends = {
  'a cancel': (it: DeploymentWorld, id: string) => it.world.call('POST', `/api/deployments/${id}/cancel`),
  'a rollback': (it: DeploymentWorld, id: string) => rollBack(it, id),
  'its end date': (it: DeploymentWorld, id: string) =>
    it.db('deployments').where({ id }).update({ dynamic_until: it.db.fn.now() }),
  'a newer deployment to the same selector': async (it: DeploymentWorld) => {
    const { id: releaseId } = await it.release();
    await it.reaches(await it.deploy({ releaseId }, { selector: ' tier = canary' }), 'pending');
  },
};

test.each(Object.entries(ends))('%s ends a dynamic deployment', async (_name, end) => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, others } = await startApplied(it, 2);
  expect((await view(it, id)).dynamic).toBe(true);
  await end(it, id);
  await label(it, others, canary);
  expect(await robotsAfterLook(it, id)).toEqual([]);
  expect(await view(it, id)).toMatchObject({ status: 'applied', dynamic: false });
  expect((await it.story(id)).at(-1)).toBe('applied dynamic_ended');
  await it.check();
});

test('a newer deployment of another kind, or a retry, does not end it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, others } = await startApplied(it, 1);
  const { id: releaseId } = await it.release('other');
  await it.reaches(await it.deploy({ releaseId }, { selector: 'tier=canary' }), 'pending');
  await label(it, others, canary);
  expect(await robotsAfterLook(it, id)).toEqual([others[0].robotId]);
});

test('the deletion of its config entry ends it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [first, late] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  await label(it, [first], canary);
  const configId = await it.config('speed', 1);
  const id = await it.deploy({ configId }, { selector: 'tier=canary' }, forADay());
  await it.reaches(id, 'pending');
  const [order] = (await it.handOut([first])).get(first.robotId) ?? [];
  await it.report(first, { orderId: order?.orderId ?? '', status: 'failed' });
  await it.reaches(id, 'failed');
  expect((await it.world.call('DELETE', `/api/configs/${configId}`)).status).toBeLessThan(300);
  await it.world.call('PUT', '/api/configs', { body: { key: 'speed', value: 2, namespace: 'default' } });
  await label(it, [late], canary);
  expect(await robotsAfterLook(it, id)).toEqual([]);
  expect(await it.db('deployments').where({ id }).first('match_at')).toEqual({ match_at: null });
});

test('a cancel, also of one that has ended, stops robots that matched later', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, others } = await startApplied(it, 1);
  await label(it, others, canary);
  await look(it, id);
  const [made] = await matched(it, id);
  const done = await it.world.call('POST', `/api/deployments/${id}/cancel`);
  expect(done.body.data).toMatchObject({ status: 'applied', dynamic: false });
  await it.reaches(made?.id ?? '', 'cancelled');
  const again = await it.world.call('POST', `/api/deployments/${id}/cancel`);
  expect(again.body.error.message).toBe('the deployment has ended: applied');
});

test('a rollback returns robots that matched later', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [first, late] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  const before = await it.deploy({ releaseId: (await it.release()).id }, { fleet: it.fleetId });
  await it.reaches(before, 'pending');
  await work(it, [first, late]);
  await label(it, [first], canary);
  const id = await it.deploy({ releaseId: (await it.release()).id }, { selector: 'tier=canary' }, forADay());
  await it.reaches(id, 'pending');
  await work(it, [first, late]);
  await label(it, [late], canary);
  await look(it, id);
  await work(it, [late]);
  await rollBack(it, id);
  const returned = async () =>
    (await it.world.call('GET', `/api/deployments?rollback_of=${id}`)).body.items.map(
      (each: { counts: { total: number } }) => each.counts.total,
    );
  await expect.poll(returned).toEqual([2]);
});

test('robots that match later keep the pace, gates, windows and abort rules of the rollout', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rules = {
    pace: { max_in_flight: 1 },
    gates: { max_wait: '2h' },
    abort: [{ reasons: ['any'], count: 2, action: 'pause' }],
  };
  const rollout = { waves: [{ count: 1 }, { percent: 100 }], ...rules };
  const [first, ...others] = (await it.robots(4)) as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, [first], canary);
  const id = await it.deploy(
    { releaseId: (await it.release()).id },
    { selector: 'tier=canary' },
    { ...forADay(), rollout },
  );
  await it.reaches(id, 'pending');
  const inFlight = () => it.db('orders').whereNull('ended_at');
  await expect.poll(async () => (await it.handOut([first])).size).toBe(1);
  await work(it, [first]);
  await it.reaches(id, 'applied');
  await label(it, others, canary);
  await look(it, id);
  const [made] = await matched(it, id);
  expect((await view(it, made?.id ?? '')).rollout).toMatchObject({
    wave: 1,
    ...rules,
    waves: [{ percent: 100, number: 1 }],
  });
  await expect.poll(async () => (await it.handOut(others), (await inFlight()).length)).toBe(1);
  await it.check();
});

test('with a pace, further robots follow once those before have ended', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = { waves: [{ percent: 100 }], pace: { max_in_flight: 1 } };
  const [first, second, third] = (await it.robots(3)) as [LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, [first], canary);
  const id = await it.deploy(
    { releaseId: (await it.release()).id },
    { selector: 'tier=canary' },
    { ...forADay(), rollout },
  );
  await it.reaches(id, 'pending');
  const end = (robot: LinkedRobot) =>
    expect.poll(async () => (await work(it, [robot])).size, { timeout: 9_000 }).toBe(1);
  await label(it, [second], canary);
  expect(await robotsAfterLook(it, id)).toEqual([]);
  await end(first);
  expect(await robotsAfterLook(it, id)).toEqual([second.robotId]);
  await label(it, [third], canary);
  expect(await robotsAfterLook(it, id)).toEqual([second.robotId]);
  await end(second);
  expect(await robotsAfterLook(it, id)).toEqual([second.robotId, third.robotId]);
});

test('abort rules count all robots that matched later, and end a dynamic deployment', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const rollout = {
    waves: [{ percent: 100 }],
    abort: [{ reasons: ['any'], percent: 50, min_ended: 2, action: 'cancel' }],
  };
  const { id, others } = await startApplied(it, 3, { rollout });
  for (const [index, robot] of others.entries()) {
    await label(it, [robot], canary);
    expect(await robotsAfterLook(it, id)).toHaveLength(Math.min(index + 1, 2));
    await work(it, [robot], 'failed');
    const made = (await matched(it, id)).at(-1);
    await it.reaches(made?.id ?? '', 'failed');
  }
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  expect(items.at(-1)).toMatchObject({
    reason: 'dynamic_ended',
    message: 'the rollout: 2 of 2 ended robots (any); the limit is 50 %',
  });
});

test('no robot follows while the deployment for those before is paused, and none once it was cancelled', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id, others } = await startApplied(it, 2);
  const [late, later] = others;
  await label(it, [late], canary);
  await look(it, id);
  const [made] = await matched(it, id);
  await it.world.call('POST', `/api/deployments/${made?.id}/pause`, { body: {} });
  await label(it, [later], canary);
  expect(await robotsAfterLook(it, id)).toEqual([late.robotId]);
  await cancel(it, made?.id ?? '');
  expect(await robotsAfterLook(it, id)).toEqual([late.robotId]);
  expect((await view(it, id)).dynamic).toBe(false);
});

test('a robot that matches two dynamic deployments keeps the newer one', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [first, late] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  await label(it, [first], { ...canary, hall: '2' });
  const deploy = async (selector: string) => {
    const release = await it.release();
    const id = await it.deploy({ releaseId: release.id }, { selector }, forADay());
    await it.reaches(id, 'pending');
    return { id, sha256: release.sha256 };
  };
  const [older, newer] = [await deploy('tier=canary'), await deploy('hall=2')];
  await label(it, [late], { ...canary, hall: '2' });
  await look(it, older.id);
  await look(it, newer.id);
  await look(it, older.id);
  await expect.poll(async () => [...(await work(it, [late])).values()]).toEqual([newer.sha256]);
  expect((await matched(it, newer.id)).flatMap(({ robots }) => robots)).toEqual([late.robotId]);
});

test('several replicas send it to each robot once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db, world } = it;
  const log = createLogger('debug', [], (line) => void world.lines.push(line));
  const others = Array.from({ length: 3 }, () => createDeploymentEngine({ db, bus: world.bus, log }));
  for (const each of others) each.start();
  try {
    const { id, others: robots } = await startApplied(it, 12);
    for (const robot of robots) {
      await label(it, [robot], canary);
      await Promise.all([look(it, id), look(it, id)]);
    }
    const received = (await matched(it, id)).flatMap((each) => each.robots);
    expect([...received].sort()).toEqual(robots.map(({ robotId }) => robotId).sort());
  } finally {
    await Promise.all(others.map((each) => each.stop()));
  }
  await it.check();
});

test('a name of its selector that no longer exists ends it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [first, late] = (await it.robots(2)) as [LinkedRobot, LinkedRobot];
  await label(it, [late], canary);
  const other = await it.world.call('POST', '/api/sites', { body: { name: 'Kyoto' } });
  const id = await it.deploy({ releaseId: (await it.release()).id }, { selector: '@site!=Kyoto,!tier' }, forADay());
  await it.reaches(id, 'pending');
  await work(it, [first]);
  await it.world.call('PATCH', `/api/sites/${other.body.data.id}`, { body: { name: 'Nara' } });
  await label(it, [late], {});
  expect(await robotsAfterLook(it, id)).toEqual([]);
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  expect(items.at(-1)).toMatchObject({ reason: 'dynamic_ended', message: 'site "Kyoto" not found' });
});

test('a dynamic deployment that cannot be looked at does not hold up the others', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: broken, others } = await startApplied(it, 3);
  const [late, later, spare] = others;
  await label(it, [spare], { tier: 'spare' });
  const other = await it.deploy({ releaseId: (await it.release()).id }, { selector: 'tier=spare' }, forADay());
  await it.reaches(other, 'pending');
  await it.db.raw(`create function refuse_caused() returns trigger language plpgsql as $$
    begin if new.cause_id = '${broken}' then raise exception 'no such luck'; end if; return new; end $$`);
  await it.db.raw(
    'create trigger refuse_caused before insert on deployments for each row execute function refuse_caused()',
  );
  await label(it, [late], canary);
  await label(it, [later], { tier: 'spare' });
  await it.db.raw(`update deployments set match_at = case id when '${broken}' then now() - interval '1 h' else now() end
                    where match_at is not null`);
  const robots = async () => (await matched(it, other)).flatMap((made) => made.robots);
  await expect.poll(robots, { timeout: 9_000 }).toEqual([later.robotId]);
  await it.db.raw('drop trigger refuse_caused on deployments');
  expect(await robotsAfterLook(it, broken)).toEqual([late.robotId]);
});
