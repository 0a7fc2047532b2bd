import { expect, test } from 'vitest';
import { segmentPartitions } from '../../src/logs/partitions.ts';
import { readGroupsOf } from '../../src/logs/segments/window.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('the parts of a window have all groups of segments with more and with fewer groups than parts', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  const at = new Date();
  await segmentPartitions(db).make([Math.floor(at.getTime() / 600_000) * 600_000]);
  const ids = new Map<number, number>(); // by their groups
  for (const groups of [1, 4, 16]) {
    const places = Array.from({ length: groups + 1 }, (_each, n) => n);
    const [row] = await db('log_segments')
      .insert({
        org_id: orgId,
        received_at: at,
        format: 1,
        records: groups,
        bytes: groups,
        max_level: 2,
        first_stream: 0,
        streams: Buffer.from([0xff]),
        levels: Buffer.alloc(groups, 2),
        places: [...places, ...places],
        head: Buffer.from(places.slice(1)),
        body: Buffer.from(places.slice(1)), // the number of the group, from 1
      })
      .returning<{ id: number }[]>('id');
    ids.set(row?.id ?? 0, groups);
  }
  const parts = 4;
  const [first = 0] = ids.keys();
  for (let part = 0; part < parts; part += 1) {
    const rows = await readGroupsOf(db, orgId, { first, last: Math.max(...ids.keys()), part, parts });
    const read = rows.map(({ id, head, body }) => [ids.get(id), (head[0] ?? 0) - 1, (body[0] ?? 0) - 1]);
    // A stream of the part is in the group of its number, as far as there are so many.
    const ofLargest = [0, 4, 8, 12].map((n) => [16, part + n, part + n]);
    expect(read).toEqual([[1, 0, 0], [4, part, part], ...ofLargest]);
  }
  const eighths = await readGroupsOf(db, orgId, { first, last: Math.max(...ids.keys()), part: 7, parts: 8 });
  expect(eighths.map(({ id, head }) => [ids.get(id), (head[0] ?? 0) - 1])).toEqual([
    [1, 0],
    [4, 3],
    [16, 7],
    [16, 15],
  ]);
});
