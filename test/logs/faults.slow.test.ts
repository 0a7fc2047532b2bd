import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogIngest, type LinkRef, type LogIngest, type LogOutcome } from '../../src/logs/service.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { startPostgresProxy } from '../support/postgres-proxy.ts';
import { messagesOf, records, sendTo, startLogWorld, type LogWorld } from './support.ts';

const silent = createLogger('silent', []);

/** An ingest whose connections to the database can be cut. */
async function startBehindProxy(logs: LogWorld, retryForMs = 60_000) {
  const proxy = await startPostgresProxy(logs.world.connection);
  const db = openDatabase(proxy.connection);
  const ingest = createLogIngest({ db, log: silent, flushEveryMs: 5, retryForMs });
  return {
    proxy,
    ingest,
    async [Symbol.asyncDispose]() {
      await ingest.close();
      await db.destroy();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

const lines = (count: number): string[] => Array.from({ length: count }, (_each, index) => `line ${index + 1}`);

test('records whose answer was lost after the database stored them are stored once and acknowledged', async () => {
  await using logs = await startLogWorld();
  await using behind = await startBehindProxy(logs);
  const link = await logs.robot();
  await sendTo(behind.ingest, link, records(1, 2));
  behind.proxy.mode = 'cut';
  const outcome = sendTo(behind.ingest, link, records(3, 4));
  await expect.poll(() => behind.proxy.cuts).toBeGreaterThan(0);
  behind.proxy.mode = 'pass';
  expect(await outcome).toEqual({ kind: 'stored', spool: 'spool', seq: 4 });
  expect(messagesOf(await logs.all(link.robotId))).toEqual(lines(4));
});

test('a service that is killed between storing and acknowledging leaves nothing to store twice', async () => {
  await using logs = await startLogWorld();
  const link = await logs.robot();
  {
    await using behind = await startBehindProxy(logs, 0);
    await sendTo(behind.ingest, link, records(1, 2));
    behind.proxy.mode = 'cut';
    // As far as this one knows, nothing was stored: what it says reaches no agent, for it is gone.
    expect(await sendTo(behind.ingest, link, records(3, 4))).toEqual({ kind: 'failed' });
  }
  const next = await logs.relink(link);
  expect(await logs.send(next, records(3, 6))).toMatchObject({ kind: 'stored', seq: 6 });
  expect(messagesOf(await logs.all(link.robotId))).toEqual(lines(6));
});

test('while the database is away records wait, and are stored when it is back', async () => {
  await using logs = await startLogWorld();
  await using behind = await startBehindProxy(logs);
  const link = await logs.robot();
  await sendTo(behind.ingest, link, records(1, 1));
  behind.proxy.mode = 'refuse';
  const outcomes = [records(2, 3), records(4, 5)].map((each) => sendTo(behind.ingest, link, each));
  await new Promise((resolve) => setTimeout(resolve, 300)); // a few tries
  behind.proxy.mode = 'pass';
  // Gathered before or behind the first try: each is acknowledged with what is stored by then.
  expect(await Promise.all(outcomes)).toContainEqual({ kind: 'stored', spool: 'spool', seq: 5 });
  expect(messagesOf(await logs.all(link.robotId))).toEqual(lines(5));
});

test('once records of a link have failed, nothing that follows on it is stored', async () => {
  await using logs = await startLogWorld();
  await using behind = await startBehindProxy(logs, 200);
  const link = await logs.robot();
  await sendTo(behind.ingest, link, records(1, 1));
  behind.proxy.mode = 'refuse';
  expect(await sendTo(behind.ingest, link, records(2, 2))).toEqual({ kind: 'failed' });
  behind.proxy.mode = 'pass';
  expect(await sendTo(behind.ingest, link, records(3, 3))).toEqual({ kind: 'failed' });
  const next = await logs.relink(link);
  expect(await sendTo(behind.ingest, next, records(2, 3))).toMatchObject({ kind: 'stored', seq: 3 });
  expect(messagesOf(await logs.all(link.robotId))).toEqual(lines(3));
});

test('a service that stops does not wait for a database that is away', async () => {
  await using logs = await startLogWorld();
  await using behind = await startBehindProxy(logs);
  const link = await logs.robot();
  await sendTo(behind.ingest, link, records(1, 1));
  behind.proxy.mode = 'refuse';
  const outcome = sendTo(behind.ingest, link, records(2, 2));
  const startedAt = performance.now();
  await behind.ingest.close();
  expect(performance.now() - startedAt).toBeLessThan(30_000); // it is tried for a minute
  expect(await outcome).toEqual({ kind: 'failed' });
});

test('what is more than the memory may hold is refused, and the link with it, and others go on after', async () => {
  await using logs = await startLogWorld();
  const { db } = logs.world;
  const ingest = createLogIngest({ db, log: silent, flushEveryMs: 5, maxWaitingLength: 20_000 });
  const [one, two] = [await logs.robot(), await logs.robot()];
  const large = records(1, 3, { message: 'x'.repeat(10_000) });
  const outcomes = await Promise.all([
    sendTo(ingest, one, large),
    sendTo(ingest, two, records(1, 1)),
    sendTo(ingest, one, records(4, 4)),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'failed']);
  const again = [await logs.relink(one), await logs.relink(two)];
  for (const link of again) expect(await sendTo(ingest, link, records(1, 4))).toMatchObject({ kind: 'stored', seq: 4 });
  await ingest.close();
  expect(await sendTo(ingest, await logs.relink(one), records(5, 5))).toEqual({ kind: 'failed' });
});

/** What happens to an agent: it sends on, sends again from a while back, loses its link, or its old link is still heard of. */
type Event =
  | { kind: 'send'; count: number; again: number; old: boolean }
  | { kind: 'relink' }
  | { kind: 'cut' }
  | { kind: 'wait' };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      count: fc.integer({ min: 1, max: 40 }),
      again: fc.nat(10),
      old: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'relink' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cut' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'wait' as const }) },
);

/** An agent's side of one link: what it sent on it goes on where it stopped. Gives the highest number sent. */
function openLink(ingest: LogIngest, link: LinkRef, acked: number, note: (outcome: Promise<LogOutcome>) => void) {
  let last = acked;
  return (count: number, again: number): number => {
    const first = Math.max(1, last + 1 - again);
    last += count;
    note(sendTo(ingest, link, records(first, last)));
    return last;
  };
}

test('whatever is sent again, on old links and new ones, over two replicas and lost answers: every record once, in order', async () => {
  await using logs = await startLogWorld();
  await using behind = await startBehindProxy(logs);
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 25 }), async (events) => {
      let link = await logs.robot();
      let [acked, highest] = [0, 0];
      const outcomes: Promise<void>[] = [];
      const note = (outcome: Promise<LogOutcome>) =>
        outcomes.push(
          outcome.then((each) => {
            if (each.kind === 'stored') acked = Math.max(acked, each.seq);
          }),
        );
      let sendOld = openLink(logs.ingest, link, 0, note);
      let send = sendOld;
      for (const each of events) {
        if (each.kind === 'send') highest = Math.max(highest, (each.old ? sendOld : send)(each.count, each.again));
        if (each.kind === 'wait') await Promise.all(outcomes);
        if (each.kind === 'relink') {
          link = await logs.relink(link);
          sendOld = send;
          send = openLink(link.epoch % 2 ? logs.ingest : behind.ingest, link, acked, note);
        }
        if (each.kind === 'cut') {
          behind.proxy.mode = 'cut';
          setTimeout(() => (behind.proxy.mode = 'pass'), 20);
        }
      }
      await Promise.all(outcomes);
      link = await logs.relink(link);
      if (highest > acked)
        expect(await sendTo(logs.ingest, link, records(acked + 1, highest))).toMatchObject({
          kind: 'stored',
          seq: highest,
        });
      const items = await logs.all(link.robotId);
      expect(messagesOf(items)).toEqual(lines(highest));
      expect(items.map(({ seq }) => seq)).toEqual(items.map((_each, index) => index + 1));
    }),
    { numRuns: 40 },
  );
});
