import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { logUpkeep } from '../../src/logs/upkeep.ts';
import { factories } from '../support/factories.ts';
import { messagesOf, records, startIsolatedLogWorld, type LogWorld } from './support.ts';

const move = (logs: LogWorld, robotId: string, fleetId: string) =>
  logs.world.call('PATCH', `/api/robots/${robotId}`, { body: { fleet_id: fleetId } });

const streams = ({ world }: LogWorld): Promise<{ number: number; left_at: Date | null }[]> =>
  world.db('log_streams').select('number', 'left_at').orderBy('number');

/** As if robots had left their fleets so many days ago. */
const age = (db: Knex, days: number) =>
  db('log_streams')
    .whereNotNull('left_at')
    .update({ left_at: db.raw('now() - make_interval(days => ?)', [days]) });

test('the stream of a fleet that a robot left is deleted with its last records, and the robot can return', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  const other = await factories(logs.world).fleet(undefined, 'other');
  const [link, removed] = [await logs.robot(), await logs.robot()];
  await logs.send(link, records(1, 1));
  await logs.send(removed, records(1, 1));
  expect((await streams(logs)).map(({ left_at: at }) => at)).toEqual([null, null]);
  await move(logs, link.robotId, other.id as string);
  await logs.world.call('DELETE', `/api/robots/${removed.robotId}`);
  await logs.send(link, records(2, 2));
  await logs.merge();
  expect((await streams(logs)).map(({ left_at: at }) => at !== null)).toEqual([true, true, false]);

  await age(db, 13);
  await logUpkeep(db, 14).run();
  expect((await streams(logs)).map(({ number }) => number)).toEqual([1, 2, 3]);
  await age(db, 15);
  await logUpkeep(db, 14).run();
  expect((await streams(logs)).map(({ number }) => number)).toEqual([3]);

  await move(logs, link.robotId, logs.fleetId);
  await logs.send(link, records(3, 3));
  expect((await streams(logs)).map(({ number }) => number)).toEqual([3, 4]);
  expect(messagesOf(await logs.all(link.robotId))).toEqual(['line 1', 'line 2', 'line 3']);
  const ofFleet = await logs.get(`/api/fleets/${logs.fleetId}/logs`);
  expect(messagesOf(ofFleet.body.items)).toContain('line 3');
});

test('a robot that returns in time keeps the number of its stream', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  const other = await factories(logs.world).fleet(undefined, 'other');
  const link = await logs.robot();
  await logs.send(link, records(1, 1));
  await move(logs, link.robotId, other.id as string);
  await age(db, 15);
  await move(logs, link.robotId, logs.fleetId);
  await logUpkeep(db, 14).run();
  expect(await streams(logs)).toEqual([{ number: 1, left_at: null }]);
});

test('a stream stays while segments may have records of it, however long ago the robot left', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  const link = await logs.robot();
  await logs.send(link, records(1, 1));
  await logs.spread(Date.now() - 3 * 86_400_000, 1);
  await db('log_streams').update({ left_at: db.raw(`now() - interval '3 days'`) });
  await logUpkeep(db, 1).run();
  expect(await streams(logs)).toHaveLength(1);
});

test('changes of robots are deleted after two hours, without waiting for one that another replica deletes', async () => {
  await using logs = await startIsolatedLogWorld();
  const { db } = logs.world;
  const robots = await Promise.all([logs.robot(), logs.robot(), logs.robot()]);
  const [held, old, recent] = robots.map(({ robotId }) => robotId);
  const changed = async () => new Set(await db('log_robot_changes').pluck<string[]>('robot_id'));
  expect(await changed()).toEqual(new Set([held, old, recent]));
  await db('log_robot_changes')
    .whereNot({ robot_id: recent })
    .update({ changed_at: db.raw(`now() - interval '3 hours'`) });
  const other = await db.transaction();
  await other('log_robot_changes').where({ robot_id: held }).forUpdate();
  await logUpkeep(db, 14).run();
  const left = await changed();
  await other.rollback();
  expect(left).toEqual(new Set([held, recent]));
  await logUpkeep(db, 14).run();
  expect(await changed()).toEqual(new Set([recent]));
});
