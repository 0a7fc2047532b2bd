import { expect, test } from 'vitest';
import { liveLogs, streamCache, type LinkRef } from '../../../src/logs/service.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { until } from '../../support/until.ts';
import { records, startIsolatedLogWorld, type LogWorld } from '../../logs/support.ts';

const everything = { tail: undefined, since: undefined, level: undefined, source: undefined, text: undefined };

/** Live logs of one robot, woken by the test alone, with the number of groups of segments that they read. */
function liveLogsOf({ world }: LogWorld) {
  const db = openDatabase(world.connection);
  let [groups, reads] = [0, 0];
  db.on('query-response', (response: { rows?: object[] } | undefined, { sql }: { sql: string }) => {
    if (!sql.includes('from log_segments')) return;
    reads += 1;
    groups += response?.rows?.length ?? 0;
  });
  let wake = () => {};
  const follow = (_orgId: string, _robotId: string, wakeNow: () => void) => {
    wake = wakeNow;
    return () => undefined;
  };
  const lines: string[] = [];
  const last = () => lines.at(-1);
  const isIdle = () => (db.client as { pool: { numUsed(): number } }).pool.numUsed() === 0;
  const live = liveLogs({
    logReading: { objects: undefined, streams: streamCache() },
    db,
    log: createLogger('silent', []),
    follows: { follow },
    textOf: ({ kept }) => kept.message,
  });
  return {
    /** Shows what follows this record; the returned function ends it. */
    open({ orgId, robotId }: LinkRef, afterSeq: number): () => void {
      const sink = {
        bufferedBytes: 0,
        send: (line: string) => void lines.push(line),
        skip: () => undefined,
        fail: (error: unknown) => void lines.push(String(error)),
      };
      return live.open(orgId, robotId, { ...everything, afterSeq }, sink);
    },
    lines,
    /** Wakes it, and gives the number of groups that are read until this is the last line. */
    async wakeUntil(line: string): Promise<number> {
      await until(isIdle);
      [groups, reads] = [0, 0];
      wake();
      await expect.poll(() => reads).toBeGreaterThan(1);
      await until(isIdle);
      await expect.poll(last).toBe(line);
      return groups;
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

test.each([
  ['its first record', 0],
  ['what comes next', 20],
])(
  'a live log that begins with %s reads at each wake only what was stored since the last record',
  async (_name, afterSeq) => {
    await using logs = await startIsolatedLogWorld();
    await using reader = liveLogsOf(logs);
    const link = await logs.robot();
    for (let seq = 1; seq <= 20; seq += 1) await logs.send(link, records(seq, seq));
    const end = reader.open(link, afterSeq);
    if (afterSeq === 0) await expect.poll(() => reader.lines.length).toBe(20);
    await logs.send(link, records(21, 21));
    await reader.wakeUntil('line 21');
    // The newest segment, to know how far the robot is, and the one of the last record.
    expect(await reader.wakeUntil('line 21')).toBe(2);
    await logs.send(link, records(22, 22));
    expect(await reader.wakeUntil('line 22')).toBe(3);
    await logs.merge();
    await logs.send(link, records(23, 23));
    await reader.wakeUntil('line 23');
    end();
    expect(reader.lines).toEqual(
      Array.from({ length: 23 - afterSeq }, (_each, index) => `line ${afterSeq + index + 1}`),
    );
  },
);

test('records are shown that were received before the last one shown: the clock was hours ahead, and was corrected', async () => {
  await using logs = await startIsolatedLogWorld();
  await using reader = liveLogsOf(logs);
  const link = await logs.robot();
  await logs.send(link, records(1, 1));
  await logs.spread(Date.now() + 3 * 3_600_000, 1);
  const end = reader.open(link, 0);
  await expect.poll(() => reader.lines).toEqual(['line 1']);
  await logs.send(await logs.relink(link), records(2, 2));
  await reader.wakeUntil('line 2');
  end();
  expect(reader.lines).toEqual(['line 1', 'line 2']);
});
