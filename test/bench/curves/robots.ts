import { createFirstOrg } from '../../../src/first-start.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { fill } from '../../platform/db/plans/fill.ts';
import { idOf } from '../../platform/db/plans/rows.ts';
import { startOurs } from '../harness/ours.ts';
import { withClient } from '../harness/sql.ts';
import { timeOfRequest, type Curve } from './curve.ts';

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const requests = 15;
const lists = {
  'a page of robots': '/api/robots?limit=50',
  unhealthy: '/api/robots?limit=50&health_status=unhealthy',
  'a rare label': '/api/robots?limit=50&label=tier%3Dcanary',
  'one robot': `/api/robots/${idOf('robot', 21)}`,
};

/** A new database for each number of robots, which has what they leave behind too. */
export const robotsCurve: Curve = {
  id: 'robots',
  async run(create) {
    const points = Object.fromEntries(Object.keys(lists).map((name) => [name, [] as [number, number][]]));
    for (const size of sizes) {
      const { url } = await create('robots');
      const token = await withFirstOrg(url);
      await using server = await startOurs({ DATABASE_URL: url });
      await fillWith(url, size);
      for (const [name, path] of Object.entries(lists))
        points[name]?.push([size, await timeOfRequest(`${server.url}${path}`, token, requests)]);
    }
    return {
      title: 'Lists and look-ups of robots',
      x: 'robots in the table',
      y: 'response, ms',
      series: Object.entries(points).map(([name, of]) => ({ name, points: of })),
    };
  },
};

/** The token of the org. */
async function withFirstOrg(url: string): Promise<string> {
  const db = openDatabase(url);
  return (await createFirstOrg(db).finally(() => db.destroy())) ?? '';
}

async function fillWith(url: string, robots: number): Promise<void> {
  const db = openDatabase(url);
  try {
    const { rows } = await withClient(url, (client) => client.query<{ id: string }>('select id from orgs'));
    await fill({ db, connection: { connectionString: url }, orgId: rows[0]?.id ?? '' }, robots);
  } finally {
    await db.destroy();
  }
}
