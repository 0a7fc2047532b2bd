import { records, type LogWorld } from './support.ts';

/** Three robots' records, a chunk each, as they came over an hour; levels and lengths vary. */
export async function fill(logs: LogWorld, count = 40): Promise<string[]> {
  const links = [await logs.robot(), await logs.robot(), await logs.robot()];
  for (let seq = 1; seq <= count; seq += 1)
    await Promise.all(
      links.map((link, index) =>
        logs.send(
          link,
          records(seq, seq, {
            level: seq % 7 === 0 ? 'error' : 'info',
            source: seq % 2 ? 'journal' : 'exec:nav',
            message: `robot ${index} line ${seq} ${'x'.repeat((seq * 97) % 3_000)}`,
          }),
        ),
      ),
    );
  return links.map(({ robotId }) => robotId);
}

/** All records of a list, as they were answered. Where pages end also depends on how long they took. */
export async function pages(logs: LogWorld, path: string): Promise<string[]> {
  const found: string[][] = [];
  for (let cursor = ''; ;) {
    const { body } = await logs.get(`${path}${cursor}`);
    found.push(body.items.map((item: unknown) => JSON.stringify(item)));
    if (body.next_cursor === undefined) return (/after=|order=/.test(path) ? found : found.reverse()).flat();
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** What every kind of list answers about records that began at this time. */
export async function everyAnswer(logs: LogWorld, robotIds: readonly string[], startMs: number): Promise<string[][]> {
  const since = new Date(startMs + 600_000).toISOString();
  const until = new Date(startMs + 1_800_000).toISOString();
  const queries = [
    'limit=1000',
    'limit=5&level=fatal',
    'limit=7',
    'limit=5&level=warn',
    'limit=9&source=journal',
    'limit=50&q=LINE%202',
  ];
  const all = [...queries, `limit=6&since=${since}&until=${until}`];
  const paths = [
    ...all.map((query) => `/api/fleets/${logs.fleetId}/logs?${query}`),
    ...robotIds.flatMap((id) => all.map((query) => `/api/robots/${id}/logs?${query}`)),
    ...all.map((query) => `/api/logs?${query}&order=asc`),
    ...all.map((query) => `/api/logs?${query}&order=desc&fleet_id=${logs.fleetId}`),
    ...robotIds.map((id) => `/api/robots/${id}/logs?after=3&limit=8`),
    ...robotIds.map((id) => `/api/robots/${id}/logs?after=3&limit=4&q=NE%202`),
    ...robotIds.map((id) => `/api/robots/${id}/logs?after=3&limit=2&level=error`),
  ];
  const answers: string[][] = [];
  for (const path of paths) answers.push(await pages(logs, path));
  return answers;
}
