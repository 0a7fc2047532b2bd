import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../src/kernel/ids.ts';
import { seedFleet, type FleetData } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { backendCpuMs } from '../harness/postgres-cpu.ts';
import { usageOf } from '../harness/proc.ts';
import { withClient } from '../harness/sql.ts';
import { timeOfRequest, type Curve } from './curve.ts';

const sizes = [10, 100, 1_000, 10_000];
const idleMs = 15_000;

/** Deployments that have begun, each to a robot that is offline, in a service with nothing else to do. */
export const openDeploymentsCurve: Curve = {
  id: 'open-deployments',
  async run(create) {
    const [service, database, page]: [number, number][][] = [[], [], []];
    for (const size of sizes) {
      const { url } = await create('open_deployments');
      const fleet = await seedFleet(url, size);
      await seedOpenDeployments(url, fleet);
      await using server = await startOurs({ DATABASE_URL: url });
      const list = `${server.url}/api/deployments?limit=50&status=pending`;
      page?.push([size, await timeOfRequest(list, fleet.userToken, 15)]);
      const used = async () => [(await usageOf(server.pid)).cpuMs, await backendCpuMs(url)] as const;
      const before = await used();
      await sleep(idleMs);
      const after = await used();
      service?.push([size, ((after[0] - before[0]) * 1_000) / idleMs]);
      database?.push([size, ((after[1] - before[1]) * 1_000) / idleMs]);
    }
    return {
      title: 'Open deployments to robots that are offline',
      x: 'open deployments',
      y: 'CPU in ms per second; response in ms',
      series: [
        { name: 'service', points: service ?? [] },
        { name: 'Postgres', points: database ?? [] },
        { name: 'a page of them', points: page ?? [] },
      ],
    };
  },
};

const seedOpenDeployments = (url: string, { orgId }: FleetData): Promise<void> =>
  withClient(url, async (client) => {
    const releaseId = newId();
    await client.query(
      `insert into releases (org_id, id, kind, artifact_sha256, artifact_size, tag) values ($1, $2, 'file', $3, 1, 'nav-1.8.2')`,
      [orgId, releaseId, 'a'.repeat(64)],
    );
    await client.query(`insert into payloads (org_id, digest, body) values ($1, repeat('b', 64), '{}')`, [orgId]);
    await client.query(
      `with made as (
         insert into deployments (org_id, id, lane, payload_key, release_id, payload_digest, proof, target_kind, target_id, status, started_at, rank, active_minutes)
         select org_id, gen_random_uuid(), 'release:file', 'release:file', $2, repeat('b', 64), repeat('b', 64), 'robot', id, 'pending', now(),
                nextval('deployment_rank'), 1440
           from robots where org_id = $1
         returning org_id, id, target_id, lane, payload_key, rank
       ), counted as (
         insert into deployment_counts (org_id, deployment_id, total, waiting, event_seq, next_deadline_at)
         select org_id, id, 1, 1, 1, now() + interval '7 days' from made
       ), opened as (
         insert into open_targets (org_id, robot_id, deployment_id) select org_id, target_id, id from made
       )
       insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, deadline_at)
       select org_id, id, target_id, lane, payload_key, rank, now() + interval '7 days' from made`,
      [orgId, releaseId],
    );
    await client.query('vacuum analyze');
  });
