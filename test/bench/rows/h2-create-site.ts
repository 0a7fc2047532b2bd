import { seedFleet } from '../harness/fleet-data.ts';
import { compareWithFastify } from '../harness/http-row.ts';
import type { Row } from '../harness/row.ts';

/** A site and its audit row in one transaction. */
export const createSiteRow: Row = {
  id: 'H2',
  work: 'POST /api/sites',
  against: 'fastify 5 with pg doing the same job',
  async run(context) {
    const database = await context.database('h2');
    const { userToken } = await seedFleet(database.url, 0);
    const headers = { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' };
    const job = {
      method: 'POST' as const,
      paths: ['/api/sites'],
      headers,
      body: '{"name":"site {n}"}',
      status: 201,
      requests: 3_000,
    };
    return compareWithFastify(context, database, job, 1);
  },
};
