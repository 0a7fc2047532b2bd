import { expect, test } from 'vitest';
import { createFeed } from '../../src/live/logs/feed.ts';
import {
  openTail,
  type SerializedRecord,
  type Sink,
  type StoredLogs,
  type TailRequest,
} from '../../src/live/logs/tail.ts';

const robotId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';
const fromNowOn: TailRequest = {
  afterSeq: undefined,
  tail: undefined,
  since: undefined,
  level: undefined,
  source: undefined,
  text: undefined,
};

/** How many records one look for the latest finds. */
const mostALook = 70;

/** The records of one robot, as a test stores them. */
function storeInHand() {
  const records: SerializedRecord[] = [];
  let reads = 0;
  let held: Promise<void> | undefined;
  const stored: StoredLogs = {
    async latest({ limit }, before) {
      const end = (before?.seq ?? records.length + 1) - 1;
      const found = records.slice(Math.max(0, end - Math.min(limit, mostALook)), end);
      const [first] = found;
      const isMore = first !== undefined && first.record.seq > 1;
      return { records: found, head: { seq: records.length }, before: isMore ? first.record : undefined };
    },
    async following(_query, { seq: after }) {
      const [head, late] = [{ seq: records.length }, held];
      const page = { records: records.filter(({ record: { seq } }) => seq > after), reached: head, head };
      reads += 1;
      held = undefined;
      await (late ?? new Promise((resolve) => setImmediate(resolve)));
      return page;
    },
  };
  return {
    stored,
    reads: () => reads,
    add() {
      const seq = records.length + 1;
      const kept = { level: 'info', source: 'nav', message: `line ${seq}` } as const;
      records.push({ record: { robotId, seq, receivedAtMs: seq, kept }, text: `line ${seq}` });
    },
    /** The next read is of its moment, and given only when the function is called that this gives. */
    holdNext() {
      let release = () => {};
      held = new Promise((resolve) => (release = resolve));
      return () => release();
    },
  };
}

/** A reader that takes everything at once. */
function readerOf(): { sink: Sink; lines: string[] } {
  const lines: string[] = [];
  const fail = (error: unknown) => void lines.push(`failed: ${String(error)}`);
  return { lines, sink: { bufferedBytes: 0, send: (text) => void lines.push(text), skip: () => undefined, fail } };
}

const failed = (error: unknown) => {
  throw error;
};

test('a reader that was still reading when the others got more is not left without it', async () => {
  const store = storeInHand();
  const feed = createFeed(store.stored, failed);
  const [first, late] = [readerOf(), readerOf()];
  store.add();
  const ends = [openTail(store.stored, feed.group, { ...fromNowOn, afterSeq: 0 }, first.sink)];
  await expect.poll(() => first.lines).toEqual(['line 1']);
  const release = store.holdNext();
  ends.push(openTail(store.stored, feed.group, { ...fromNowOn, afterSeq: 0 }, late.sink));
  store.add();
  store.add();
  feed.wake();
  await expect.poll(() => first.lines).toEqual(['line 1', 'line 2', 'line 3']);
  release();
  await expect.poll(() => late.lines).toEqual(['line 1', 'line 2', 'line 3']);
  for (const end of ends) end();
});

test('a reader that asks for what follows a record of tomorrow gets what comes, and costs the others nothing', async () => {
  const store = storeInHand();
  const feed = createFeed(store.stored, failed);
  const [ahead, other] = [readerOf(), readerOf()];
  store.add();
  const ends = [openTail(store.stored, feed.group, { ...fromNowOn, afterSeq: 1_000_000 }, ahead.sink)];
  await expect.poll(store.reads).toBeGreaterThan(1); // it is fed
  ends.push(openTail(store.stored, feed.group, fromNowOn, other.sink));
  await new Promise((resolve) => setTimeout(resolve, 100)); // that nothing is read takes time to see
  expect(store.reads()).toBeLessThan(10);
  store.add();
  feed.wake();
  for (const { lines } of [ahead, other]) await expect.poll(() => lines).toEqual(['line 2']);
  for (const end of ends) end();
});

test.each([
  [150, 1_000],
  [300, 1_000],
  [10_000, 500],
])(
  'of the latest %i all are shown that there are, where the store has to be looked into several times',
  async (tail, stored) => {
    const store = storeInHand();
    for (let count = 0; count < stored; count += 1) store.add();
    const { group } = createFeed(store.stored, failed);
    const { sink, lines } = readerOf();
    const end = openTail(store.stored, group, { ...fromNowOn, tail }, sink);
    const shown = Math.min(tail, stored);
    await expect.poll(() => lines.length).toBe(shown);
    expect(lines[0]).toBe(`line ${stored - shown + 1}`);
    end();
  },
);
