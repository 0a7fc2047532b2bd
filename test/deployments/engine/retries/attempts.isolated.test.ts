import { expect, test } from 'vitest';
import { createDeploymentEngine } from '../../../../src/deployments/api/service.ts';
import { createLogger } from '../../../../src/platform/logging.ts';
import { work } from '../rollbacks/support.ts';
import { cancel, startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot } from '../support.ts';
import { attemptsOf, failOn, reaches, retried, retry, settles, view } from './support.ts';

/** The latest attempt begins, and robots report `status`. */
async function attempt(it: DeploymentWorld, id: string, links: LinkedRobot[], status: string): Promise<string> {
  const last = (await attemptsOf(it, id)).at(-1)?.id ?? '';
  await it.fallDue(last);
  await it.reaches(last, 'pending');
  await work(it, links, status);
  return last;
}

test('attempts follow until they are used up, each after twice the time', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  await retried(it, bad.deployment, { attempts: 3, backoff: '10m', reason: 'repaired' });
  for (const count of [1, 2, 3]) {
    await reaches(it, bad.deployment, count);
    await attempt(it, bad.deployment, links, 'failed');
  }
  const attempts = await attemptsOf(it, bad.deployment);
  await it.reaches(attempts[2]?.id ?? '', 'failed');
  await settles(it, bad.deployment, 3);
  const waits = attempts.map((each) => Date.parse(each.scheduled_at ?? '') - Date.parse(each.created_at));
  expect(waits.map((ms) => Math.round(ms / 60_000))).toEqual([10, 20, 40]);
  expect(attempts.map((each) => each.retry)).toEqual(
    [1, 2, 3].map((number) => ({
      attempt: number,
      attempts: 3,
      reasons: ['any'],
      backoff: '10m',
      reason: 'repaired',
    })),
  );
  await it.check();
});

test('the next attempt has only the robots that failed again, for one of the reasons', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(3)) as [LinkedRobot, LinkedRobot, LinkedRobot];
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  const first = await retried(it, bad.deployment, { attempts: 2, reasons: ['rejected'] });
  await it.reaches(first, 'pending');
  await work(it, links.slice(0, 1), 'failed');
  await work(it, links.slice(1, 2), 'rolled_back');
  await work(it, links.slice(2));
  await reaches(it, bad.deployment, 2);
  const second = await attempt(it, bad.deployment, [], 'failed');
  expect((await it.targets(second)).map((each) => each.robot_id)).toEqual([links[0].robotId]);
});

test('no attempt follows one that worked, was cancelled or was rolled back', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  for (const end of ['applied', 'cancelled before it began', 'cancelled', 'rolled back'] as const) {
    const bad = await failOn(it, links);
    await it.reaches(bad.deployment, 'failed');
    const backoff = end === 'cancelled before it began' ? '1h' : '0s';
    const first = await retried(it, bad.deployment, { attempts: 5, backoff });
    if (end === 'cancelled before it began') await cancel(it, first);
    else {
      await it.reaches(first, 'pending');
      if (end === 'rolled back') await it.world.call('POST', `/api/deployments/${first}/rollback`, { body: {} });
      if (end === 'cancelled') {
        await it.handOut(links);
        await cancel(it, first);
      }
      await work(it, links, end === 'applied' ? 'applied' : 'failed');
    }
    await expect.poll(async () => (await view(it, first)).ended_at, { message: end }).toBeDefined();
    await settles(it, bad.deployment, 1);
  }
  await it.check();
});

test('no attempt follows once the config entry was deleted', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = (await it.robots(1)) as [LinkedRobot];
  const configId = await it.config('speed', 1);
  const id = await it.deploy({ configId }, { fleet: it.fleetId });
  const fail = async (of: string) => {
    await it.reaches(of, 'pending');
    const [order] = (await it.handOut(links)).get(links[0].robotId) ?? [];
    return it.report(links[0], { orderId: order?.orderId ?? '', status: 'failed' });
  };
  await fail(id);
  await it.reaches(id, 'failed');
  const { body } = await retry(it, id, { attempts: 2 }, 'configs/deployments');
  await it.db.raw(`create function deleted() returns trigger language plpgsql as $$
    begin if new.ended_at is not null then update configs set deleted_revision = revision where id = new.config_id; end if; return new; end $$`);
  await it.db.raw('create trigger deleted before update on deployments for each row execute function deleted()');
  await fail(body.data.id);
  await it.reaches(body.data.id, 'failed');
  await expect.poll(async () => (await it.db('deployments').where({ retries_left: 1 })).length).toBe(0);
  expect((await it.world.call('GET', `/api/configs/deployments?retry_of=${id}`)).body.items).toHaveLength(1);
});

test('several replicas create each attempt once', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db, world } = it;
  const log = createLogger('debug', [], (line) => void world.lines.push(line));
  const others = Array.from({ length: 3 }, () => createDeploymentEngine({ db, bus: world.bus, log }));
  for (const each of others) each.start();
  try {
    const links = await it.robots(6);
    const failed = await Promise.all(links.map((link) => failOn(it, [link], link)));
    for (const { deployment } of failed) {
      await it.reaches(deployment, 'failed');
      await it.reaches(await retried(it, deployment, { attempts: 2 }), 'pending');
    }
    await work(it, links, 'failed');
    for (const { deployment } of failed) await reaches(it, deployment, 2);
    for (const { deployment } of failed) await settles(it, deployment, 2);
  } finally {
    await Promise.all(others.map((each) => each.stop()));
  }
  await it.check();
});

test('a replica of the previous release neither begins a retry nor ends it', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const bad = await failOn(it, links);
  await it.reaches(bad.deployment, 'failed');
  const id = await retried(it, bad.deployment, { backoff: '1h' });
  const row = () => it.db('deployments').where({ id });
  const begin = { status: 'pending', started_at: it.db.fn.now(), rank: 1 };
  await expect(row().update(begin)).rejects.toThrow('deployments_retried');
  const fail = { status: 'failed', reason: 'no_targets', ended_at: it.db.fn.now() };
  await expect(row().update(fail)).rejects.toThrow('deployments_retried');
});
