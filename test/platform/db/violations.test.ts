import { expect, test } from 'vitest';
import { violationOf } from '../../../src/platform/db/violations.ts';
import { toFailure } from '../../../src/platform/http/reply/failures.ts';
import { factories } from '../../support/factories.ts';
import { until } from '../../support/until.ts';
import { startWorld, type World } from '../../support/world.ts';

/** Unique indexes over what the service chooses itself: digests of random values, numbers, and keys under a lock. Violating one is a bug. */
const chosenByTheService = [
  'audit_org_id_seq_key',
  'deployment_approvals_once', // under the lock of the deployment
  'enrollment_keys_digest_key',
  'erasures_open', // a second request is the first one
  'fleets_org_id_id_site_id_key',
  'health_history_progress_one',
  'log_streams_org_id_robot_id_fleet_id_key', // under the lock of the org
  'orders_open',
  'portal_sessions_previous_digest_key',
  'robot_metric_progress_one',
  'selectors_org_id_text_key',
  'stream_tickets_digest_key',
  'timeline_org_id_robot_id_seq_key',
  'tokens_by_digest',
  'tokens_by_previous_digest',
  'tokens_by_unused_digest',
];

const namesOf = async (world: World, sql: string) =>
  (await world.db.raw<{ rows: { name: string }[] }>(sql)).rows.map(({ name }) => name);

test('every foreign key of the database has a meaning for callers: 401, 404 or 409', async () => {
  await using world = await startWorld();
  const names = await namesOf(
    world,
    `select conname as name from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  expect(names.length).toBeGreaterThan(20);
  const statuses = names.map((constraint) => ({ constraint, ...toFailure({ code: '23503', constraint }) }));
  expect(statuses.filter(({ status }) => ![401, 404, 409].includes(status))).toEqual([]);
});

test('every unique index has a meaning for callers, or is over what the service chooses itself', async () => {
  await using world = await startWorld();
  const names = await namesOf(
    world,
    `select c.relname as name from pg_index join pg_class c on c.oid = indexrelid
      where indisunique and not indisprimary and c.relnamespace = 'public'::regnamespace and not c.relispartition`,
  );
  const unexplained = names.filter((constraint) => violationOf({ code: '23505', constraint })?.code !== 'conflict');
  expect(unexplained.sort()).toEqual(chosenByTheService);
});

test('to delete what others still refer to is a conflict', async () => {
  await using world = await startWorld();
  const { site_id: id } = await factories(world).fleet();
  const refused: unknown = await world
    .db('sites')
    .where({ id })
    .delete()
    .catch((error: unknown) => error);
  expect(toFailure(refused)).toMatchObject({ status: 409, code: 'conflict' });
});

test('a stream ticket for a robot that is deleted at the same moment is refused with 404, for a user that is deleted with 401', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const robot = (await make.robot()) as { robot_id: string };
  const user = (await make.user('operator')) as { id: string };
  const { value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;

  /** Asks for a ticket while the deletion of a row is not committed yet. */
  async function askDuring(table: string, id: string) {
    const deletion = await world.db.transaction();
    await deletion(table).where({ id }).delete();
    const asked = world.call('POST', '/api/stream-tickets', {
      token: value,
      body: { robot_id: robot.robot_id, kind: 'shell' },
    });
    await until(async () => {
      const waiting = await deletion.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return waiting.rows.length > 0;
    });
    await deletion.commit();
    return asked;
  }

  const without = await askDuring('robots', robot.robot_id);
  expect(without).toMatchObject({ status: 404, body: { error: { code: 'not_found', message: 'robot not found' } } });
  robot.robot_id = ((await make.robot('amr-2')) as { robot_id: string }).robot_id;
  const unknown = await askDuring('users', user.id);
  expect(unknown).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
});
