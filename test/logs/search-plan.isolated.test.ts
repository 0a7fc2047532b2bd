import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { joinTexts, packText } from '../../src/logs/body.ts';
import type { LogOrder } from '../../src/logs/history.ts';
import { messagesOf } from '../../src/logs/line-message.ts';
import { logMerging } from '../../src/logs/merging.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { readLogRows } from '../../src/logs/rows.ts';
import { logSearch } from '../../src/logs/search.ts';
import { streamCache } from '../../src/logs/segments/stream-cache.ts';
import { decodeSearch } from '../../src/logs/search-cursor.ts';
import { buildTextFilter } from '../../src/logs/text-filter.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';
import { storeChunks } from './support.ts';

const spanMs = 600_000;
const dayMs = 86_400_000;
/** Spans of today and of the days before, newest last; none is merged by now unless a test does it. */
const newestSpan = Math.floor(Date.now() / spanMs) * spanMs - 2 * spanMs;

interface Line {
  atMs: number;
  robotId: string;
  seq: number;
  message: string;
}

/** Numbers that are the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

/** Robots that are known to the counters are merged later; the chunks of others stay as they are. */
async function seed(
  world: World,
  { robots, fleets, spans, counted }: { robots: number; fleets: number; spans: number[]; counted: boolean },
) {
  const roll = dice(7);
  const { db, orgId } = world;
  await logPartitions(db).make([...new Set(spans.map((ms) => Math.floor(ms / dayMs) * dayMs))]);
  const fleetIds = Array.from({ length: fleets }, () => randomUUID());
  const lines: Line[] = [];
  const rows: object[] = [];
  for (let robot = 0; robot < robots; robot += 1) {
    const robotId = randomUUID();
    let seq = 1;
    for (const startMs of spans) {
      // Times of few values, so that many robots have records at the same instant.
      const times = Array.from({ length: 1 + roll(6) }, () => startMs + roll(20) * 30_000).sort((a, b) => a - b);
      const parts = times.map((atMs) => {
        const message = `${roll(9) === 0 ? 'rare' : 'common'} ${robot} ${seq}`;
        lines.push({ atMs, robotId, seq, message });
        return { atMs, seq: seq++, text: `${JSON.stringify({ level: 'info', source: 'test', message })}\n` };
      });
      const isMerged = !counted && roll(4) > 0;
      for (const group of isMerged ? [parts] : parts.map((part) => [part])) {
        const [first, last] = [group[0], group.at(-1)];
        if (!first || !last) continue;
        const text = joinTexts(group.map(({ atMs, text: line }) => ({ receivedAtMs: atMs, text: line })));
        rows.push({
          org_id: orgId,
          robot_id: robotId,
          fleet_id: fleetIds[robot % fleets],
          first_at: new Date(first.atMs),
          received_at: new Date(last.atMs),
          first_seq: first.seq,
          last_seq: last.seq,
          records: group.length,
          max_level: 2,
          ...(await packText(text)),
          text_filter: isMerged ? buildTextFilter(messagesOf(text)) : null,
        });
      }
    }
    if (counted) await countRobot(db, orgId, { robotId, seq, spans });
  }
  await db.batchInsert('log_chunks', rows, 500);
  return lines;
}

async function countRobot(
  db: Knex,
  orgId: string,
  { robotId, seq, spans }: { robotId: string; seq: number; spans: number[] },
) {
  const at = { merged_until: new Date(Math.min(...spans)), received_at: new Date(Math.max(...spans) + spanMs) };
  await db.transaction(async (trx) => {
    await trx.raw(`set local session_replication_role = replica`); // counters without a robot
    await trx('log_counters').insert({ org_id: orgId, robot_id: robotId, seq, ...at });
  });
}

const inOrder = (lines: readonly Line[], order: LogOrder): string[] => {
  const sorted = [...lines].sort(
    (a, b) => a.atMs - b.atMs || (a.robotId < b.robotId ? -1 : 1) * Number(a.robotId !== b.robotId) || a.seq - b.seq,
  );
  return (order === 'newest' ? sorted.reverse() : sorted).map(({ message }) => message);
};

interface Request {
  order: LogOrder;
  limit: number;
  text?: string;
  since?: Date;
  until?: Date;
  /** Chunks that a statement reads; the call ends after one statement. */
  perCall: number;
  between?: (() => Promise<void>) | undefined;
}

async function searchAll(world: World, { order, perCall, between, ...query }: Request) {
  const budget = () => ({ next: () => ({ records: perCall, bytes: 1_000_000 }), isSpent: () => true });
  const read = (cursor: string | undefined) =>
    readLogRows({ db: world.db, objects: undefined, streams: streamCache() }, (rows) =>
      logSearch(rows, { scope: { orgId: world.orgId }, query, order }, budget()).page(
        cursor === undefined ? undefined : decodeSearch(order, cursor),
      ),
    );
  const messages: string[] = [];
  const calls = { all: 0, empty: 0, parts: 0, longest: 0 };
  for (let cursor: string | undefined; ;) {
    const { records, next } = await read(cursor);
    messages.push(...records.map(({ kept }) => kept.message));
    calls.all += 1;
    if (records.length === 0) calls.empty += 1;
    if (!next) return { messages, calls };
    expect(next.cursor).not.toBe(cursor);
    cursor = next.cursor;
    calls.longest = Math.max(calls.longest, cursor.length);
    if (decodeSearch(order, cursor).part) calls.parts += 1;
    await between?.();
  }
}

const orders: readonly LogOrder[] = ['newest', 'oldest'];

test('a search that ends after each statement gives every record once, in order, whatever the size of its pages', async () => {
  await using world = await startIsolatedWorld();
  const spans = [newestSpan - 9 * dayMs, newestSpan - spanMs, newestSpan];
  const lines = await seed(world, { robots: 45, fleets: 3, spans, counted: false });
  const rare = lines.filter(({ message }) => message.startsWith('rare'));
  for (const order of orders) {
    for (const [limit, perCall] of [
      [1_000, 7],
      [5, 11],
      [1, 40],
    ] as const) {
      const { messages, calls } = await searchAll(world, { order, limit, text: 'rare', perCall });
      expect([order, limit, ...messages]).toEqual([order, limit, ...inOrder(rare, order)]);
      expect(calls.empty).toBeGreaterThan(0);
      expect(calls.parts).toBeGreaterThan(0);
      expect(calls.longest).toBeLessThanOrEqual(1_200);
    }
    const all = await searchAll(world, { order, limit: 60, perCall: 50 });
    expect(all.messages).toEqual(inOrder(lines, order));
    const [since, until] = [new Date(newestSpan - spanMs + 120_000), new Date(newestSpan + 300_000)];
    const some = lines.filter(({ atMs }) => atMs >= since.getTime() && atMs < until.getTime());
    const within = await searchAll(world, { order, limit: 20, perCall: 9, since, until });
    expect(within.messages).toEqual(inOrder(some, order));
  }
});

test('a search reads each chunk of a merged span once, and little more than the chunks of its matches again', async () => {
  await using world = await startIsolatedWorld();
  await seed(world, { robots: 400, fleets: 3, spans: [newestSpan], counted: false });
  const chunks = await world.count('log_chunks');
  for (const order of orders) {
    const { messages, calls } = await searchAll(world, { order, limit: 10, text: 'nowhere', perCall: 20 });
    expect(messages).toEqual([]);
    expect(calls.all).toBeLessThanOrEqual(Math.ceil((chunks * 4) / 20)); // chunks have up to six records
  }
});

test('chunks that are merged between pages neither repeat nor lose a record', async () => {
  for (const order of orders) {
    await using world = await startIsolatedWorld();
    await storeChunks(world.db);
    const lines = await seed(world, { robots: 60, fleets: 30, spans: [newestSpan - dayMs, newestSpan], counted: true });
    const before = await world.count('log_chunks');
    let calls = 0;
    const between = async () => {
      calls += 1;
      if (calls === 6) await logMerging(world.db).run();
    };
    const { messages } = await searchAll(world, { order, limit: 40, perCall: 10, between });
    expect([order, ...messages]).toEqual([order, ...inOrder(lines, order)]);
    expect(await world.count('log_chunks')).toBeLessThan(before);
  }
});

test('a search reads no chunk whose filter lacks the text, and comes forward where all of them do', async () => {
  await using world = await startIsolatedWorld();
  const lines = await seed(world, { robots: 60, fleets: 30, spans: [newestSpan - dayMs, newestSpan], counted: false });
  const rare = lines.filter(({ message }) => message.startsWith('rare'));
  // What is read without need fails: these bytes cannot be inflated.
  const holders = world.db.raw('encode(body, ?) like ?', ['escape', '%rare%']);
  await world
    .db('log_chunks')
    .whereNotNull('text_filter')
    .whereNot(holders)
    .update({ body: Buffer.from('78ff', 'hex') });
  for (const order of orders) {
    const { messages } = await searchAll(world, { order, limit: 50, text: 'RARE', perCall: 9 });
    expect([order, ...messages]).toEqual([order, ...inOrder(rare, order)]);
    await expect(searchAll(world, { order, limit: 50, text: 'ra', perCall: 9 })).rejects.toThrow(
      'incorrect header check',
    );
  }
  await world.db('log_chunks').whereNull('text_filter').delete();
  for (const order of orders) {
    const { messages, calls } = await searchAll(world, { order, limit: 50, text: 'nowhere', perCall: 9 });
    expect(messages).toEqual([]);
    expect(calls.all).toBeGreaterThan(3);
  }
});
