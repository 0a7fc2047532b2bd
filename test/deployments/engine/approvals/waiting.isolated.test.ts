import { expect, test } from 'vitest';
import { only, type LinkedRobot } from '../support.ts';
import { awaits, startApprovals, type ApprovalWorld } from './support.ts';

const advance = { applied_percent: 50, min_ended: 1, then: 'approval' };

/** Begins a rollout whose second wave awaits approval, and gives the other robot of the first wave, which still works. */
async function awaitSecondWave(it: ApprovalWorld, rollout: object = {}) {
  const [ana, bob] = [await it.person('ana'), await it.person('bob')];
  const id = await it.order({ approval: {}, advance, ...rollout });
  await it.decide(id, ana);
  await it.reaches(id, 'pending');
  const [done, busy] = await ordered(it);
  if (!done || !busy) throw new Error('the first wave has two robots');
  await report(it, done, 'applied');
  await awaits(it, id, 2);
  return { id, ana, bob, busy };
}

async function ordered(it: ApprovalWorld) {
  const orders = await it.handOut(it.links);
  return it.links
    .filter(({ robotId }) => (orders.get(robotId) ?? []).length > 0)
    .map((robot) => ({ robot, orderId: only(orders, robot).orderId }));
}

const report = (it: ApprovalWorld, { robot, orderId }: { robot: LinkedRobot; orderId: string }, status: string) =>
  it.report(robot, { orderId, status, ...(status === 'applied' && { digest: it.digest }) });

test('a rule that cancels is followed while a rollout waits for approval', async () => {
  await using it = await startApprovals();
  const abort = [{ reasons: ['any'], count: 1, action: 'cancel' }];
  const { id, bob, busy } = await awaitSecondWave(it, { abort });
  await report(it, busy, 'failed');
  await it.reaches(id, 'failed');
  expect(await it.view(id)).toMatchObject({ reason: 'aborted', counts: { failed: 1, cancelled: 2 } });
  expect((await it.decide(id, bob)).status).toBe(409);
  expect(await it.work()).toBe(0);
  await it.check();
});

test('an approval accepts no failures: those of the wave before count with those of the next one', async () => {
  await using it = await startApprovals();
  const abort = [{ reasons: ['any'], count: 2, per: 'rollout', action: 'cancel' }];
  const { id, bob, busy } = await awaitSecondWave(it, { abort });
  await report(it, busy, 'failed');
  await it.decide(id, bob, { wave: 2 });
  await expect.poll(async () => (await it.view(id)).rollout.wave as unknown).toBe(2);
  const [next] = await ordered(it);
  if (!next) throw new Error('the second wave has two robots');
  await report(it, next, 'failed');
  await expect.poll(async () => (await it.story(id)).join()).toContain('aborted');
  await it.check();
});

const post = async (it: ApprovalWorld, id: string, what: string, reason?: string) =>
  it.world.call('POST', `/api/deployments/${id}/${what}`, { body: { reason } });

/** The status of a deployment after all robots have applied what they have. */
const worked = async (it: ApprovalWorld, id: string) => {
  await it.work();
  return (await it.view(id)).status as unknown;
};

test('a deployment that a person pauses while it waits for approval begins with a resume, before or after the approval', async () => {
  await using it = await startApprovals();
  const ana = await it.person('ana');
  const paused = { code: 'requested', reason: 'line is down' };
  for (const resumesFirst of [true, false]) {
    const id = await it.order({ approval: {} });
    const answer = await post(it, id, 'pause', 'line is down');
    expect(answer.body.data).toMatchObject({ status: 'paused', paused, approval: { wave: 0 } });
    expect((await post(it, id, 'pause', 'again')).body.data.paused).toMatchObject(paused);
    if (resumesFirst) {
      expect((await post(it, id, 'resume')).body.data).toMatchObject({
        status: 'paused',
        paused: { code: 'approval' },
        approval: { wave: 0 },
      });
      expect((await post(it, id, 'resume')).status).toBe(409);
      await it.decide(id, ana);
    } else {
      const { request } = (await it.decide(id, ana)).body.data;
      expect(request).toBeUndefined();
      expect(await it.view(id)).toMatchObject({ status: 'paused', paused, waiting_on: { code: 'paused' } });
      expect(await it.work()).toBe(0);
      await post(it, id, 'resume');
    }
    await it.reaches(id, 'pending');
    await expect.poll(() => worked(it, id)).toBe('applied');
  }
  await it.check();
});

test('a newer deployment that pauses older ones also pauses what waits for approval, which stays so after the approval', async () => {
  await using it = await startApprovals();
  const { id: waiting, bob } = await awaitSecondWave(it);
  const rollout = { waves: [{ percent: 100 }], supersede: 'pause' };
  const newer = await it.deploy({ releaseId: it.releaseId }, { fleet: it.fleetId }, { rollout });
  await it.reaches(newer, 'pending');
  const superseded = { code: 'superseded', reason: `deployment ${newer} began` };
  expect(await it.view(waiting)).toMatchObject({ paused: superseded, approval: { wave: 2 } });
  await it.decide(waiting, bob, { wave: 2 });
  expect(await it.view(waiting)).toMatchObject({ status: 'paused', paused: superseded, rollout: { wave: 1 } });
  await it.check();
});

test('an approval of a deployment that has begun says which wave it means', async () => {
  await using it = await startApprovals();
  const { id, bob } = await awaitSecondWave(it);
  const { status, body } = await it.decide(id, bob, { wave: undefined });
  expect([status, body.error?.message]).toEqual([400, 'body.wave: is required once the deployment has begun']);
  expect((await it.view(id)).approval).toMatchObject({ wave: 2, approved_by: [] });
});
