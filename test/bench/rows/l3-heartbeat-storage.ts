import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newId } from '../../../src/kernel/ids.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { linkStore } from '../../../src/agent-links/store.ts';
import { emptyRows } from '../../../src/robot-metrics/history.ts';
import { measure, samplesPerBlock } from '../../../src/robot-metrics/model.ts';
import { packSamples } from '../../../src/robot-metrics/packing.ts';
import { seedFleet, type FleetData } from '../harness/fleet-data.ts';
import { healthBeat } from '../harness/links.ts';
import { pair } from '../harness/pairing.ts';
import { backendCpuMs } from '../harness/postgres-cpu.ts';
import { ratioLine, type Row } from '../harness/row.ts';
import { withClient } from '../harness/sql.ts';

const robots = 10_000;
const batch = 250;
const goalRatio = 0.1;
const leastHot = 0.99;
const snapshot = JSON.stringify((JSON.parse(healthBeat) as { health: object }).health);

/** A link of a replica that lives, for each robot. */
async function seedLinks(url: string, { orgId, robotIds }: FleetData): Promise<string> {
  const replicaId = newId();
  await withClient(url, async (client) => {
    await client.query(`insert into replicas (id, lease_until) values ($1, now() + interval '1 hour')`, [replicaId]);
    await client.query(
      `insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance)
       select $1, id, 1, $2, now(), now(), 'bench/1', 'bench', 'bench' from unnest($3::uuid[]) as robot (id)`,
      [orgId, replicaId, robotIds],
    );
    await client.query(
      `insert into robot_health (org_id, robot_id, received_at, snapshot) select $1, id, now(), $2 from unnest($3::uuid[]) as robot (id)`,
      [orgId, snapshot, robotIds],
    );
    await client.query('vacuum analyze robot_links, robot_health');
  });
  return replicaId;
}

/** Updates that Postgres made within the row's page, of all. */
async function hotShare(url: string): Promise<number> {
  return withClient(url, async (client) => {
    await sleep(1_500); // backends tell their counts once a second
    const { rows } = await client.query<{ hot: string; updates: string }>(
      `select sum(n_tup_hot_upd) as hot, sum(n_tup_upd) as updates from pg_stat_user_tables where relname in ('robot_links', 'robot_health')`,
    );
    return Number(rows[0]?.hot) / Number(rows[0]?.updates);
  });
}

/** Storing signs of life with their health: the statement that the service runs for many, beside one for each. */
export const heartbeatStorageRow: Row = {
  id: 'L3',
  work: 'storing heartbeats with health in batches of 250: Node + Postgres CPU',
  against: 'one prepared UPDATE a heartbeat',
  async run(context) {
    const database = await context.database('l3');
    const fleet = await seedFleet(database.url, robots);
    const replicaId = await seedLinks(database.url, fleet);
    const db = openDatabase(database.url);
    const store = linkStore(db, replicaId);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const measured = measure(JSON.parse(snapshot) as Parameters<typeof measure>[0]);
    // One heartbeat of three brings a sample.
    const openBlock = {
      startedAt: new Date(),
      samples: packSamples(emptyRows(samplesPerBlock).map((row) => row.fill(40))),
    };
    const beats = fleet.robotIds.map((robotId, index) => ({
      orgId: fleet.orgId,
      robotId,
      epoch: 1,
      snapshot,
      measured,
      openBlock: index % 3 === 0 ? openBlock : undefined,
    }));
    const mine = context.requests(40_000);
    const theirs = context.requests(8_000);

    const cpuUs = async (count: number, work: () => Promise<void>) => {
      const [node, backends] = [process.cpuUsage(), await backendCpuMs(database.url)];
      await work();
      const { user, system } = process.cpuUsage(node);
      return (user + system + ((await backendCpuMs(database.url)) - backends) * 1000) / count;
    };
    const inBatches = async () => {
      for (let at = 0; at < mine; at += batch) {
        const first = at % robots;
        const stored = await store.beat(beats.slice(first, first + batch));
        if (stored.size !== batch) throw new Error(`stored ${stored.size} of ${batch}`);
      }
    };
    const oneByOne = async () => {
      for (let at = 0; at < theirs; at += 1)
        await client.query({
          name: 'beat',
          text: `with seen as (
                   update robot_links set last_seen_at = now() where org_id = $1 and robot_id = $2 and epoch = $3 and replica_id = $4
                   returning org_id, robot_id
                 )
                 update robot_health h set received_at = now(), snapshot = $5 from seen
                  where h.org_id = seen.org_id and h.robot_id = seen.robot_id`,
          values: [fleet.orgId, fleet.robotIds[at % robots], 1, replicaId, snapshot],
        });
    };
    try {
      const rounds = await pair({
        rounds: context.rounds(5),
        ours: () => cpuUs(mine, inBatches),
        peer: () => cpuUs(theirs, oneByOne),
      });
      const hot = await hotShare(database.url);
      return [
        ratioLine('Node + Postgres CPU us/heartbeat', rounds, goalRatio),
        { measure: 'HOT share of updates', ours: hot, goal: { of: 'ours', is: 'at least', bound: leastHot } },
      ];
    } finally {
      await client.end();
      await db.destroy();
    }
  },
};
