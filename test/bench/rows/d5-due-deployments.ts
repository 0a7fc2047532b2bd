import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { apiOf } from '../harness/api.ts';
import { seedFleet } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { median } from '../harness/pairing.ts';
import { leastLine, type Row } from '../harness/row.ts';
import { withClient } from '../harness/sql.ts';

const deployments = 3_000;
const robotsOfFleet = 3;
const goal = 2_000; // per second
const dueInMs = 1_500; // time to write them, and to be waited for
const lookEveryMs = 5;

/** Small deployments of one release: from the moment at which all are due to the commit of the last target. */
export const dueDeploymentsRow: Row = {
  id: 'D5',
  work: '3,000 deployments due at once, each to a robot or to a fleet of 3: started per second',
  against: 'a limit',
  async run(context) {
    const { url } = await context.database('d5');
    const count = context.requests(deployments);
    const { orgId, userToken, robotIds, fleetId } = await seedFleet(url, count * robotsOfFleet);
    await using ours = await startOurs({ DATABASE_URL: url });
    const api = apiOf(ours.url, userToken);
    const digest = createHash('sha256').update(randomUUID()).digest('hex');
    const artifact = { artifact_sha256: digest, artifact_size: 1, tag: digest };
    const release = await api.call('POST', '/api/releases', artifact);
    const pattern = await api.call('POST', '/api/deployments', {
      release_id: release.data['id'],
      target_kind: 'robot',
      target_id: robotIds[0],
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    });

    const starting = (kind: 'robot' | 'fleet') =>
      withClient(url, async (client) => {
        await clear(client);
        const { rows } = await client.query<{ id: string }>(
          `select distinct ${kind === 'robot' ? 'id' : 'fleet_id as id'} from robots where org_id = $1 limit $2`,
          [orgId, count],
        );
        const targets = rows.map(({ id }) => id);
        return startedPerSecond(client, { orgId, pattern: pattern.data['id'] as string, kind, targets });
      });

    await withClient(url, (client) => splitIntoFleets(client, orgId, fleetId));
    const rates = { robot: [] as number[], fleet: [] as number[] };
    for (let round = 0; round < context.rounds(3); round += 1)
      for (const kind of ['robot', 'fleet'] as const) rates[kind].push(await starting(kind));
    return [
      leastLine('started/s, to a robot', median(rates.robot), goal),
      leastLine('started/s, to a fleet of 3', median(rates.fleet), goal),
    ];
  },
};

/** Each run finds no deployment but the pattern, and nothing left to write or to vacuum. */
async function clear(client: pg.Client): Promise<void> {
  await client.query('truncate targets, open_targets, waves');
  await client.query(
    `with gone as (delete from deployments where rank is not null returning id)
     delete from deployment_counts using gone where deployment_id = gone.id`,
  );
  await client.query('vacuum analyze');
  await client.query('checkpoint');
}

/** Schedules a copy of the pattern for each target, as if they had been created one by one, and waits until all have started. */
async function startedPerSecond(
  client: pg.Client,
  { orgId, pattern, kind, targets }: { orgId: string; pattern: string; kind: string; targets: readonly string[] },
): Promise<number> {
  await client.query(
    `with made as (
       insert into deployments (org_id, id, lane, payload_key, release_id, payload_digest, proof, target_kind, target_id, scheduled_at, due_at, active_minutes)
       select org_id, gen_random_uuid(), lane, payload_key, release_id, payload_digest, proof, $3, target, due.at, due.at, active_minutes
         from deployments, unnest($4::uuid[]) as target, (select now() + $5 * interval '1 ms' as at) due where org_id = $1 and id = $2
       returning org_id, id
     ), counted as (
       insert into deployment_counts (org_id, deployment_id, event_seq) select org_id, id, 1 from made
     )
     insert into deployment_events (org_id, deployment_id, seq, status) select org_id, id, 1, 'scheduled' from made`,
    [orgId, pattern, kind, targets, dueInMs],
  );
  // As autovacuum does within a minute.
  await client.query('analyze deployments, deployment_counts, deployment_events');
  const { rows } = await client.query<{ due: Date }>(
    `select min(due_at) as due from deployments where org_id = $1 and status = 'scheduled'`,
    [orgId],
  );
  for (;;) {
    const { rows: left } = await client.query<{ is_left: boolean; ms: number }>(
      `select exists (select from deployments where org_id = $1 and status = 'scheduled' and due_at = $2) as is_left,
              extract(epoch from clock_timestamp() - $2::timestamptz)::float8 * 1000 as ms`,
      [orgId, rows[0]?.due],
    );
    if (left[0]?.is_left === false) return targets.length / (left[0].ms / 1_000);
    await sleep(lookEveryMs);
  }
}

/** A fleet for each three robots. */
async function splitIntoFleets(client: pg.Client, orgId: string, fleetId: string): Promise<void> {
  await client.query(
    `create temporary table split as
       select fleet, gen_random_uuid() as fleet_id, array_agg(id) as robots
         from (select id, (row_number() over (order by id) - 1) / ${robotsOfFleet} as fleet from robots where org_id = '${orgId}') each
        group by fleet;
     insert into fleets (org_id, id, site_id, name)
     select f.org_id, split.fleet_id, f.site_id, 'fleet ' || split.fleet from split, fleets f where f.org_id = '${orgId}' and f.id = '${fleetId}';
     update robots set fleet_id = split.fleet_id from split where org_id = '${orgId}' and id = any(split.robots)`,
  );
}
