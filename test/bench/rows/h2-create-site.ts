import { setTimeout as sleep } from 'node:timers/promises';
import { seedFleet } from '../harness/fleet-data.ts';
import { requestLines, withFastify } from '../harness/http-row.ts';
import { pick } from '../harness/pairing.ts';
import { ratioLine, type Row } from '../harness/row.ts';
import { withClient } from '../harness/sql.ts';

/** Several times what sealing one round takes, in ms. */
const sealedWithinMs = 30_000;

/**
 * A site and its audit entry in one transaction, and the sealing of that entry. Each side has its own database, since a
 * sealer takes the entries of all who write to its database.
 */
export const createSiteRow: Row = {
  id: 'H2',
  work: 'POST /api/sites',
  against: 'fastify 5 with pg doing the same job',
  async run(context) {
    const databases = { ours: await context.database('h2_ours'), peer: await context.database('h2_peer') };
    const ours = await seedFleet(databases.ours.url, 0);
    const peer = await seedFleet(databases.peer.url, 0, ours.userToken);
    const job = {
      method: 'POST' as const,
      paths: ['/api/sites'],
      headers: { authorization: `Bearer ${ours.userToken}`, 'content-type': 'application/json' },
      body: '{"name":"site {n}"}',
      status: 201,
      requests: 3_000,
    };
    return withFastify(context, databases, async (measure) => {
      const sealed = await measure({ job, rounds: 7, settled: (side) => allSealed(databases[side].url) });
      const unsealed = await withoutSealing(databases.ours.url, ours.orgId, () =>
        withoutSealing(databases.peer.url, peer.orgId, () => measure({ job, rounds: 7 })),
      );
      return [
        ...requestLines(sealed, { cpu: 1 }),
        ratioLine(
          'CPU us/request, without sealing',
          pick(unsealed, (spent) => spent.cpuUsPerRequest),
        ),
        ratioLine(
          'requests/s, without sealing',
          pick(unsealed, (spent) => spent.requestsPerSecond),
        ),
      ];
    });
  },
};

/** Waits until every entry of the audit log is sealed. @throws Error if that takes too long */
async function allSealed(url: string): Promise<void> {
  const deadline = performance.now() + sealedWithinMs;
  await withClient(url, async (client) => {
    while ((await client.query('select from audit where hash is null limit 1')).rowCount !== 0) {
      if (performance.now() > deadline) throw new Error(`the audit log was not sealed within ${sealedWithinMs} ms`);
      await sleep(50);
    }
  });
}

/**
 * Holds the lock of the org's sealer, as another replica that seals would: the server leaves the entries to it.
 * @throws Error if an entry was sealed meanwhile
 */
const withoutSealing = <T>(url: string, orgId: string, work: () => Promise<T>): Promise<T> =>
  withClient(url, async (client) => {
    const sealed = async () => (await client.query('select from audit where hash is not null')).rowCount;
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`audit ${orgId}`]);
    const before = await sealed();
    const result = await work();
    if ((await sealed()) !== before) throw new Error('the audit log was sealed while it should not be');
    return result;
  });
