import { expect, test } from 'vitest';
import { addLargeFleet, isAdded } from '../large-fleet.ts';
import { work } from '../rollbacks/support.ts';
import { some, startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';
import { failOn, reaches, retried, retry } from './support.ts';

const [all, failed] = [20_000, 16_000];

/** Adds robots to a deployment on which it has ended, as after a large outage. */
const enlarge = (it: DeploymentWorld, id: string) =>
  addLargeFleet(it, all, async (trx) => {
    await trx.raw(
      `insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, status, dispatched_at)
       select d.org_id, d.id, r.id, d.lane, d.payload_key, d.rank, case when row_number() over () <= ${failed} then 'failed' else 'applied' end, now()
         from deployments d join robots r on r.org_id = d.org_id where d.id = ? and ${isAdded}`,
      [id],
    );
    await trx.raw(
      `insert into deployment_events (org_id, deployment_id, seq, status, robot_id, target_status)
       select t.org_id, t.deployment_id, 100 + row_number() over (), 'in_progress', t.robot_id, s
         from targets t join robots r on r.id = t.robot_id, unnest(array['dispatched', 'installing', t.status]) s
        where t.deployment_id = ? and ${isAdded}`,
      [id],
    );
    await trx.raw(
      `update deployment_counts set total = total + ${all}, failed = failed + ${failed}, applied = applied + ${all - failed}, event_seq = 100 + 3 * ${all}
        where deployment_id = ?`,
      [id],
    );
  });

test(`a deployment that failed on ${failed} of ${all} robots is retried`, async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const bad = await failOn(it, [robot]);
  await it.reaches(bad.deployment, 'failed');
  await enlarge(it, bad.deployment);
  const { status, text } = await retry(it, bad.deployment);
  expect(status, text).toBe(201);
  const made = JSON.parse(text).data.id;
  expect(await it.db('retry_robots').where({ retry_id: made })).toHaveLength(failed + 1);
  await expect.poll(async () => (await it.deployment(made)).status).toBe('pending');
}, 120_000);

test('an attempt that cannot be created does not hold up those of others', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const [one, other] = some(await it.robots(2));
  const attempts = [];
  for (const link of [one, other]) {
    const bad = await failOn(it, [link], link);
    await it.reaches(bad.deployment, 'failed');
    const first = await retried(it, bad.deployment, { attempts: 2 });
    await it.reaches(first, 'pending');
    attempts.push({ original: bad.deployment, first, link });
  }
  const [broken, sound] = attempts as [(typeof attempts)[0], (typeof attempts)[0]];
  await it.db.raw(
    `alter table deployments add constraint broken check (retry_of <> '${broken.original}' or retry_attempt < 2)`,
  );
  for (const { link, first } of [broken, sound]) {
    await work(it, [link], 'failed');
    await it.reaches(first, 'failed');
  }
  await reaches(it, sound.original, 2);
  expect(it.world.lines.filter((line) => line.includes('attempt of a retry could not be created'))).not.toEqual([]);
  expect((await it.db('deployments').where({ id: broken.first }).first()).retries_left).toBe(1);
}, 60_000);
