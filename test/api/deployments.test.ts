import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld, type World } from '../support/world.ts';

const post = (world: World, path: string, body: object, token?: string) =>
  world.call('POST', path, { body, token, headers: { 'Idempotency-Key': randomUUID() } });

test('a deployment is one row that waits to be claimed, and reads back as it was answered', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const release = await make.release();
  const fleet = await make.fleet();
  const { status, body } = await post(world, '/api/deployments', {
    release_id: release.id,
    target_kind: 'fleet',
    target_id: fleet.id,
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ release_id: release.id, active_minutes: 30, counts: { total: 0, failed: 0 } });
  expect((await world.call('GET', '/api/deployments')).body.items.map(({ id }: { id: string }) => id)).toEqual([
    body.data.id,
  ]);
});
