import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDeploymentEngine } from '../../../src/deployments/api/service.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { apiOf } from '../harness/api.ts';
import { seedFleet, type FleetData } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { pair, pick } from '../harness/pairing.ts';
import { backendCpuMs } from '../harness/postgres-cpu.ts';
import { ratioLine, type Row } from '../harness/row.ts';
import { seedLinks } from '../harness/seed-links.ts';
import { silentBus } from '../harness/silent-bus.ts';
import { withClient } from '../harness/sql.ts';
import { watchDeployment } from '../harness/watch.ts';
import { recordStep } from '../peers/report-rows.ts';

const robots = 5_000;
/** A report alone costs the same in a smaller fleet, and they take long. */
const peerRobots = 1_000;
const steps = ['downloading', 'installing', 'verifying', 'applied'] as const;
const peerConnections = 8;
const beginsWithinMs = 30_000;
const goals = { wall: 0.25, cpu: 0.4 };

interface Assignment {
  robotId: string;
  orderId: string;
}
interface Sample {
  perSecond: number;
  wallUs: number; // a report
  cpuUs: number; // a report: this process and Postgres
}

/** The reports of a release by every robot of a fleet, without the links that bring them, while `cli deployments watch` reads along. */
export const reportsRow: Row = {
  id: 'D2',
  work: 'recording all reports of a release to 5,000 robots, four each, with one --watch beside it: Node + Postgres CPU',
  against: 'a transaction a report',
  async run(context) {
    const { url } = await context.database('d2');
    const mine = await seedFleet(url, context.requests(robots));
    const theirs = await seedFleet(url, context.requests(peerRobots));
    await using ours = await startOurs({ DATABASE_URL: url });
    await seedLinks(url);
    const db = openDatabase(url);
    const pool = new pg.Pool({ connectionString: url, max: peerConnections });
    const engine = createDeploymentEngine({ db, bus: silentBus, log: createLogger('silent', []) });

    /** A deployment that every robot has, with a watch on it that has begun. */
    async function handOut({ orgId, fleetId, userToken, robotIds }: FleetData) {
      const api = apiOf(ours.url, userToken);
      const digest = createHash('sha256').update(randomUUID()).digest('hex');
      const artifact = { artifact_sha256: digest, artifact_size: 1, tag: digest };
      const release = await api.call('POST', '/api/releases', artifact);
      const order = { release_id: release.data['id'], target_kind: 'fleet', target_id: fleetId };
      const deploymentId = (await api.call('POST', '/api/deployments', order)).data['id'] as string;
      const deadline = performance.now() + beginsWithinMs;
      while ((await api.call('GET', `/api/deployments/${deploymentId}`)).data['status'] !== 'pending') {
        if (performance.now() > deadline) throw new Error('the deployment did not begin');
        await sleep(20);
      }
      await engine.orderPort.dispatch(robotIds.map((robotId) => ({ orgId, robotId })));
      const { rows } = await pool.query<{ robot_id: string; order_id: string }>(
        'select robot_id, order_id from targets where org_id = $1 and deployment_id = $2 and order_id is not null',
        [orgId, deploymentId],
      );
      if (rows.length !== robotIds.length) throw new Error(`${rows.length} robots have their order`);
      const assignments = rows.map((row): Assignment => ({ robotId: row.robot_id, orderId: row.order_id }));
      await withClient(url, (client) => client.query('analyze targets, orders'));
      return { digest, deploymentId, assignments, watch: await watchDeployment(ours.url, userToken, deploymentId) };
    }

    async function measure(
      fleet: FleetData,
      work: (handed: Awaited<ReturnType<typeof handOut>>) => Promise<void>,
    ): Promise<Sample> {
      const handed = await handOut(fleet);
      const [node, backends, startedAt] = [process.cpuUsage(), await backendCpuMs(url), performance.now()];
      await work(handed);
      const wallMs = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(node);
      const cpuMs = (user + system) / 1_000 + (await backendCpuMs(url)) - backends;
      if ((await handed.watch.exitCode) !== 0) throw new Error('the watch did not see it applied');
      const reports = handed.assignments.length * steps.length;
      return {
        perSecond: (reports * 1_000) / wallMs,
        wallUs: (wallMs * 1_000) / reports,
        cpuUs: (cpuMs * 1_000) / reports,
      };
    }

    const gathered = () =>
      measure(mine, async ({ assignments, digest }) => {
        const report = (robotId: string, orderId: string, status: string) =>
          new Promise<void>((resolve, reject) => {
            const sent = { orderId, status, ...(status === 'applied' ? { digest } : {}) };
            engine.orderPort.report({ orgId: mine.orgId, robotId, epoch: 1 }, sent, ({ kind }) =>
              kind === 'recorded' ? resolve() : reject(new Error(`a report was ${kind}`)),
            );
          });
        await Promise.all(
          assignments.map(async ({ robotId, orderId }) => {
            for (const status of steps) await report(robotId, orderId, status);
          }),
        );
      });
    const oneByOne = () =>
      measure(theirs, async ({ assignments, deploymentId }) => {
        const left = [...assignments];
        const next = async () => {
          for (let one = left.pop(); one; one = left.pop()) {
            let from = 'dispatched';
            for (const to of steps) {
              await recordStep(pool, { orgId: theirs.orgId, deploymentId, ...one, from, to });
              from = to;
            }
          }
        };
        await Promise.all(Array.from({ length: peerConnections }, next));
      });
    try {
      const rounds = await pair({ rounds: context.rounds(3), ours: gathered, peer: oneByOne });
      return [
        ratioLine(
          'wall us/report',
          pick(rounds, ({ wallUs }) => wallUs),
          goals.wall,
        ),
        ratioLine(
          'Node + Postgres CPU us/report',
          pick(rounds, ({ cpuUs }) => cpuUs),
          goals.cpu,
        ),
        ratioLine(
          'reports/s',
          pick(rounds, ({ perSecond }) => perSecond),
        ),
      ];
    } finally {
      await pool.end();
      await db.destroy();
    }
  },
};
