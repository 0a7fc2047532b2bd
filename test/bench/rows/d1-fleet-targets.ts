import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../../src/kernel/ids.ts';
import { apiOf } from '../harness/api.ts';
import { seedFleet } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { median, pair } from '../harness/pairing.ts';
import { limitLine, ratioLine, type Row } from '../harness/row.ts';

const robots = 100_000;
const goalRatio = 1.2;
const goalPostMs = 20;
const goalReadMs = 20;
const reads = 21;
const lookEveryMs = 10;

/** From the claim of a deployment to the commit of its targets, by the database's clock, in a server that somebody calls. */
export const fleetTargetsRow: Row = {
  id: 'D1',
  work: 'a deployment to 100,000 robots: from the claim to the commit of all targets',
  against: 'a bare INSERT ... SELECT into the same table',
  async run(context) {
    const { url } = await context.database('d1');
    const { orgId, fleetId, userToken } = await seedFleet(url, context.requests(robots));
    await using ours = await startOurs({ DATABASE_URL: url });
    const api = apiOf(ours.url, userToken);
    const client = new pg.Client({ connectionString: url });
    await client.connect();

    /** Every run finds an empty table, and the writing of the one before done. */
    const clear = async () => {
      await client.query(`update deployments set is_superseding = false, ended_at = now()`);
      await client.query('truncate targets');
      await client.query('checkpoint');
    };
    async function release(): Promise<unknown> {
      const digest = createHash('sha256').update(randomUUID()).digest('hex');
      const release = { tag: digest, artifact_sha256: digest, artifact_size: 1 };
      return (await api.call('POST', '/api/releases', release)).data['id'];
    }
    const ordering = async () => {
      const order = { release_id: await release(), target_kind: 'fleet', target_id: fleetId };
      await clear();
      const startedAt = performance.now();
      const { data } = await api.call('POST', '/api/deployments', order);
      const postMs = performance.now() - startedAt;
      for (;;) {
        const { rows } = await client.query<{ ms: number }>(
          // started_at is now() of the transaction that claimed it.
          `select extract(epoch from clock_timestamp() - started_at)::float8 * 1000 as ms from deployments where org_id = $1 and id = $2 and rank is not null`,
          [orgId, data['id']],
        );
        if (rows[0]) return { ms: rows[0].ms, postMs, id: data['id'] as string };
        await sleep(lookEveryMs);
      }
    };
    const inserting = async () => {
      await clear();
      const startedAt = performance.now();
      await client.query(
        `insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, deadline_at)
         select org_id, $2, id, 'release:container_image', 'release:container_image', 1, now() + interval '7 days' from robots
          where org_id = $1 and fleet_id = $3`,
        [orgId, newId(), fleetId],
      );
      return { ms: performance.now() - startedAt, postMs: 0, id: '' };
    };
    const reading = async (path: string) => {
      const samples: number[] = [];
      for (let time = 0; time < reads; time += 1) {
        const startedAt = performance.now();
        await api.call('GET', path);
        samples.push(performance.now() - startedAt);
      }
      return median(samples);
    };
    try {
      const rounds = await pair({ rounds: context.rounds(5), ours: ordering, peer: inserting });
      const times = rounds.map(({ ours: mine, peer }) => ({ ours: mine.ms, peer: peer.ms }));
      const { id } = await ordering();
      await client.query(tenthIsThere(orgId, id));
      return [
        ratioLine('ms from the claim to the commit', times, goalRatio),
        limitLine('ms of the POST', median(rounds.map(({ ours: mine }) => mine.postMs)), goalPostMs),
        limitLine('ms of a GET of it, 90 % away', await reading(`/api/deployments/${id}`), goalReadMs),
        limitLine(
          'ms of a GET of its failed robots',
          await reading(`/api/deployments/${id}/targets?status=failed&limit=50`),
          goalReadMs,
        ),
      ];
    } finally {
      await client.end();
    }
  },
};

/** Statements by which each tenth robot is online and has applied it, and the others wait: nobody is left that could be told at a glance. */
const tenthIsThere = (orgId: string, deploymentId: string) => {
  const tenth = `org_id = '${orgId}' and deployment_id = '${deploymentId}' and robot_id in (
    select id from (select id, row_number() over (order by id) as n from robots where org_id = '${orgId}') r where n % 10 = 0)`;
  return `
    insert into replicas (id, lease_until) values ('${deploymentId}', now() + interval '1 day');
    insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance, takes_orders)
    select org_id, robot_id, 1, '${deploymentId}', now(), now(), 'bench/1', 'bench', 'bench', true from targets where ${tenth};
    update targets set status = 'dispatched' where ${tenth};
    update targets set status = 'applied', deadline_at = null where ${tenth};
    update deployment_counts c set waiting = total - found.applied, applied = found.applied
      from (select count(*) as applied from targets where ${tenth}) found where c.deployment_id = '${deploymentId}';
    update deployments set status = 'in_progress' where id = '${deploymentId}';
    analyze`;
};
