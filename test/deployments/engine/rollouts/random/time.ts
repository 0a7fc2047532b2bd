import type { Knex } from 'knex';

/** Instants of the service and of the history, by table. */
const shifted: Record<string, string[]> = {
  deployments: [
    'due_at',
    'started_at',
    'decide_at',
    'waiting_until',
    'paced_at',
    'admit_at',
    'accepted_at',
    'paused_at',
    'approval_expires_at',
  ],
  waves: ['started_at', 'soak_started_at', 'ended_at', 'disturbed_since'],
  targets: ['deadline_at', 'dispatched_at', 'updated_at'],
  rollout_failures: ['at'],
  deployment_counts: ['next_deadline_at'],
  orders: ['touched_at'],
  robot_links: ['last_seen_at'],
  robot_reports: ['drifts_since'],
  history: ['at'],
};

/** No decision that began before it commits after it. */
export const lockDeployments = (trx: Knex) => trx.raw('select from deployments order by org_id, id for no key update');

/** SQL: an instant in JSON, moved back. */
const earlier = (at: string, seconds: number) =>
  `to_jsonb(to_char((${at})::timestamptz at time zone 'UTC' - make_interval(secs => ${seconds}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** Lets time pass: everything that was noted was so much earlier. The locks are in the order of the engine. */
export const passTime = (db: Knex, seconds: number) =>
  db.transaction(async (trx) => {
    await lockDeployments(trx);
    await trx.raw('select from orders order by org_id, id for no key update');
    for (const [table, columns] of Object.entries(shifted))
      await trx.raw(
        `update ${table} set ${columns.map((column) => `${column} = ${column} - make_interval(secs => ${seconds})`).join(', ')}
          ${table === 'deployments' ? 'where ended_at is null' : ''}`,
      );
    await trx.raw(
      `update robot_status set conditions = jsonb_set(conditions, '{0,since}', ${earlier(`conditions -> 0 ->> 'since'`, seconds)})
        where conditions <> '[]'`,
    );
    await trx.raw(
      `update robot_reports set releases = jsonb_set(releases, '{file,drift,since}', ${earlier(`releases #>> '{file,drift,since}'`, seconds)})
        where releases #> '{file,drift}' is not null`,
    );
  });
