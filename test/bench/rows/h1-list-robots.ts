import { seedFleet } from '../harness/fleet-data.ts';
import { requestLines, withFastify } from '../harness/http-row.ts';
import type { Row } from '../harness/row.ts';

/** A page of 50 of the 1,000 robots of an org, with a user's token. */
export const listRobotsRow: Row = {
  id: 'H1',
  work: 'GET /api/robots?limit=50, 1,000 robots',
  against: 'fastify 5 with pg doing the same job',
  async run(context) {
    const database = await context.database('h1');
    const { userToken } = await seedFleet(database.url, 1_000);
    const job = {
      method: 'GET' as const,
      paths: ['/api/robots?limit=50'],
      headers: { authorization: `Bearer ${userToken}` },
      status: 200,
      requests: 3_000,
    };
    return withFastify(context, { ours: database, peer: database }, async (measure) =>
      requestLines(await measure({ job, rounds: 7 }), { cpu: 0.9, rss: 1.3 }),
    );
  },
};
