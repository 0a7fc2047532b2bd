import { expect, test } from 'vitest';
import { only, sha256, some, startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot } from './support.ts';

type Running = Parameters<DeploymentWorld['orderPort']['running']>[1];

/** Robots that have applied one release of the kind file. */
async function applied(count: number) {
  const it = await startIsolatedDeploymentWorld();
  const robots = await it.robots(count);
  const release = await it.release();
  const tell = (link: LinkedRobot, ...running: Running) =>
    new Promise((resolve) => it.orderPort.running(link, running, resolve));
  /** Hands a release out to one robot, which is at it then. */
  const begin = async (robot: LinkedRobot, releaseId: string) => {
    const id = await it.deploy({ releaseId }, { robot: robot.robotId });
    await it.reaches(id, 'pending');
    return { id, orderId: only(await it.handOut([robot]), robot).orderId };
  };
  const apply = async (robot: LinkedRobot, { id, sha256: digest }: { id: string; sha256: string }) => {
    const { orderId } = await begin(robot, id);
    await it.report(robot, { orderId, status: 'applied', digest });
  };
  for (const robot of robots) await apply(robot, release);
  const reported = async ({ robotId }: LinkedRobot) =>
    (await it.world.call('GET', `/api/robots/${robotId}`)).body.data.reported.releases;
  return {
    it,
    robots: some(robots),
    release,
    tell,
    begin,
    apply,
    reported,
    drift: async (robot: LinkedRobot) => (await reported(robot)).file.drift,
    /** Its entries on the timeline of the robot. */
    async told({ robotId }: LinkedRobot): Promise<{ kind: string; message: string; details: object }[]> {
      const { items } = (await it.world.call('GET', `/api/robots/${robotId}/timeline`)).body;
      return items.filter(({ kind }: { kind: string }) => kind.startsWith('drift'));
    },
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}

const file = (digest: string | undefined) => ({ kind: 'file', sha256: digest });

test('what runs instead of a release is told once for each change, however often it is said, until the release runs again', async () => {
  await using scene = await applied(1);
  const { it, release, tell } = scene;
  const [robot] = scene.robots;
  await tell(robot, file(release.sha256));
  expect(await scene.drift(robot)).toBeUndefined();
  const other = await it.release();
  await tell(robot, file(other.sha256));
  const drift = await scene.drift(robot);
  expect(drift).toEqual({
    since: expect.stringMatching(/^20.*Z$/),
    running_sha256: other.sha256,
    running_release_id: other.id,
    running_tag: 'r2',
  });
  // Again, on a newer link, and on one that is not known any more.
  await tell(robot, file(other.sha256));
  await it.db('robot_links').where({ robot_id: robot.robotId }).update({ epoch: 2 });
  const newer = { ...robot, epoch: 2 };
  expect(await tell(newer, file(other.sha256))).toEqual({ kind: 'recorded', ended: false });
  expect(await tell(robot, file(undefined))).toEqual({ kind: 'stale' });
  expect(await scene.told(newer)).toHaveLength(1);
  const unknown = sha256('0');
  await tell(newer, file(unknown));
  expect(await scene.drift(newer)).toEqual({ since: drift.since, running_sha256: unknown });
  await tell(newer, file(undefined));
  expect(await scene.drift(newer)).toEqual({ since: drift.since });
  await tell(newer, file(release.sha256));
  const { file: known } = await scene.reported(newer);
  expect(known).toMatchObject({ release_id: release.id, tag: 'r1' });
  expect(known).not.toHaveProperty('drift');
  const told = await scene.told(newer);
  expect(told.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    'drift: r1 (file) no longer runs; what runs: r2',
    `drift: r1 (file) no longer runs; what runs: SHA-256 ${unknown}`,
    'drift: r1 (file) no longer runs; what runs: nothing',
    'drift_ended: r1 (file) runs again',
  ]);
  expect(told[0]?.details).toEqual({
    release_kind: 'file',
    tag: 'r1',
    sha256: release.sha256,
    running_sha256: other.sha256,
    running_tag: 'r2',
  });
});

test('beside an open order of the lane, and of a kind that the robot never proved, nothing is judged', async () => {
  await using scene = await applied(1);
  const { it, release, tell } = scene;
  const [robot] = scene.robots;
  const next = await it.release();
  const { orderId } = await scene.begin(robot, next.id);
  await tell(robot, file(sha256('0')), { kind: 'archive', sha256: sha256('0') });
  expect(await scene.drift(robot)).toBeUndefined();
  // What was said before an order that is applied by now came before it, also where both are written together.
  await Promise.all([
    tell(robot, file(release.sha256)),
    it.report(robot, { orderId, status: 'applied', digest: next.sha256 }),
  ]);
  expect(await scene.reported(robot)).toEqual({ file: expect.objectContaining({ release_id: next.id }) });
  expect(await scene.told(robot)).toEqual([]);
  await tell(robot, file(release.sha256));
  expect(await scene.drift(robot)).toMatchObject({ running_tag: 'r1' });
});

test('a new proof ends a drift; what is rolled back leaves the old release known, and a late applied makes the new one known', async () => {
  await using scene = await applied(1);
  const { it, release, tell } = scene;
  const [robot] = scene.robots;
  const bad = await it.release();
  const rolled = await scene.begin(robot, bad.id);
  await it.report(robot, { orderId: rolled.orderId, status: 'rolled_back', reason: 'verify_failed' });
  expect((await scene.reported(robot)).file).toMatchObject({ release_id: release.id });
  await tell(robot, file(release.sha256));
  expect(await scene.told(robot)).toEqual([]);
  await tell(robot, file(bad.sha256));
  const good = await it.release();
  const late = await scene.begin(robot, good.id);
  await it.expire(late.id);
  await it.reaches(late.id, 'failed');
  expect(await scene.drift(robot)).toMatchObject({ running_tag: 'r2' });
  await it.report(robot, { orderId: late.orderId, status: 'applied', digest: good.sha256 });
  const { file: known } = await scene.reported(robot);
  expect(known).toMatchObject({ release_id: good.id, deployment_id: late.id });
  expect(known).not.toHaveProperty('drift');
  await tell(robot, file(good.sha256));
  expect((await scene.told(robot)).map(({ kind }) => kind)).toEqual(['drift']);
});

test('a release of another org is nobody here, and the robots of one batch do not mix', async () => {
  await using scene = await applied(3);
  const { it, release, tell } = scene;
  const [one, two, three] = scene.robots;
  const foreign = sha256('f');
  const id = it.db.raw('gen_random_uuid()');
  const [org] = await it.db('orgs').insert({ id, name: 'other', status: 'approved' }).returning('id');
  await it.db('releases').insert({
    org_id: org.id,
    id,
    tag: 'secret',
    kind: 'file',
    artifact_sha256: foreign,
    artifact_size: 1,
  });
  await scene.apply(two, await it.release('archive'));
  await Promise.all([
    tell(one, file(foreign)),
    tell(two, { kind: 'archive', sha256: undefined }, file(foreign)),
    tell(three, file(release.sha256)),
    tell({ ...three, orgId: org.id }, file(undefined)),
  ]);
  expect(await scene.drift(one)).toEqual({ since: expect.any(String), running_sha256: foreign });
  expect(await scene.reported(two)).toMatchObject({
    archive: { tag: 'r2', drift: { since: expect.any(String) } },
    file: { tag: 'r1', drift: { running_sha256: foreign } },
  });
  expect(await scene.drift(three)).toBeUndefined();
  expect(await scene.told(two)).toHaveLength(2);
});

test('a robot whose programs come and go all the time has sixty such entries in an hour, and is shown as it is', async () => {
  await using scene = await applied(1);
  const { it, release, tell } = scene;
  const [robot] = scene.robots;
  await tell(robot, file(sha256('0')));
  await it.db('robot_reports').update({ drifts: 59 });
  await tell(robot, file(release.sha256));
  expect(await scene.told(robot)).toHaveLength(2);
  await tell(robot, file(undefined));
  expect(await scene.told(robot)).toHaveLength(2);
  expect(await scene.drift(robot)).toEqual({ since: expect.any(String) });
  await it.db('robot_reports').update({ drifts_since: it.db.raw("now() - interval '61 minutes'") });
  await tell(robot, file(release.sha256));
  expect((await scene.told(robot)).at(-1)?.kind).toBe('drift_ended');
  expect(await scene.told(robot)).toHaveLength(3);
});
