import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { operations } from '../support/operations.ts';
import { startWorld } from '../support/world.ts';

test('what is read by id is there for its own org, and for another like an id that nothing has', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const other = await make.org();
  const robot = await make.robot();
  const target = { target_kind: 'robot', target_id: robot.robot_id };
  const config = await make.config();
  const release = await make.release();
  const pin = { release_id: release.id, until: new Date(Date.now() + 3_600_000).toISOString(), reason: 'a test' };
  await world.call('PUT', `/api/robots/${robot.robot_id}/pin`, { body: pin });
  const ids: Record<string, string> = {
    '/api/fleets': robot.fleet_id,
    '/api/robots': robot.robot_id,
    '/api/deployments': (await make.deployment({ ...target, release_id: release.id })).id,
    '/api/configs/deployments': (await make.deployment({ ...target, config_id: config.id })).id,
  };
  const idFor = (path: string) => (path.includes('{id}') ? ids[path.split('/{')[0] ?? ''] : undefined);
  const reads = operations.filter(({ method, path }) => method === 'GET' && idFor(path) !== undefined);
  expect(reads.length).toBeGreaterThan(9);
  for (const { id: operation, path } of reads) {
    const call = (id: string, token: string) => world.call('GET', path.replace('{id}', id), { token });
    const [id = '', nobody] = [idFor(path), randomUUID()];
    const [theirs, none] = [await call(id, other.token), await call(nobody, other.token)];
    expect([theirs.status, theirs.text.replaceAll(id, nobody)], operation).toEqual([404, none.text]);
    // The robot has no agent that could be asked for its topics.
    expect((await call(id, world.orgToken)).status, operation).toBe(operation === 'listRobotTopics' ? 409 : 200);
  }
});
