import type { Knex } from 'knex';
import pg from 'pg';
import { timePartitions } from '../../../../src/platform/db/time-partitions.ts';
import { historyTables } from './history-tables.ts';
import { logTables } from './log-tables.ts';
import { robotTables } from './robot-tables.ts';
import { insertSql, sqlId } from './rows.ts';

/** Made anew after the robots: adding them to it one by one takes 90 s for a million, making it 20 s. */
const slowIndex = 'robots_by_name_part';

const partitioned = ['log_chunks', 'log_stats', 'log_stats_by_fleet', 'robot_metric_blocks', 'robot_metric_rollups'];

/** A database with an org, on which the service has run. */
interface Filled {
  db: Knex;
  connection: pg.ClientConfig;
  orgId: string;
}

/**
 * Fills a database with robots and what they leave behind. Two connections share the work, without triggers and
 * foreign keys, which would take most of the time.
 */
export async function fill({ db, connection, orgId }: Filled, robots: number): Promise<void> {
  const connect = async () => {
    const client = new pg.Client({ ...connection, options: '-c session_replication_role=replica' });
    await client.connect();
    await client.query(`set maintenance_work_mem = '512MB'`);
    return client;
  };
  for (const table of partitioned) await timePartitions(db, table).makeAhead();
  const clients = [await connect(), await connect()];
  const [client] = clients as [pg.Client, pg.Client];
  try {
    const { rows } = await client.query<{ sql: string }>('select pg_get_indexdef($1::regclass) as sql', [slowIndex]);
    await client.query(
      `insert into orgs (id, name, status, approved_at) values (${sqlId('org', 1)}, 'Other', 'approved', now());
       insert into replicas (id, lease_until, stores_segments, artifacts_folder)
         select ${sqlId('replica', 1)}, now() + interval '1 day', true, (select artifacts_folder from replicas limit 1);
       insert into log_orgs (org_id, streams) values ('${orgId}', ${robots})
         on conflict (org_id) do update set streams = excluded.streams;
       drop index ${slowIndex}`,
    );
    const [robotRows, ...others] = robotTables(orgId, robots).map(insertSql);
    const history = [...historyTables(orgId, robots), ...logTables(orgId, robots)].map(insertSql);
    const jobs = [`${robotRows}; ${rows[0]?.sql}`, ...others, ...history];
    await Promise.all(
      clients.map(async (each) => {
        for (let sql = jobs.shift(); sql !== undefined; sql = jobs.shift()) await each.query(sql);
      }),
    );
    await client.query('vacuum (analyze, parallel 0)');
  } finally {
    await Promise.all(clients.map((each) => each.end()));
  }
}
