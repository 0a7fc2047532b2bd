import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readyUrl } from './harness/child.ts';
import { startFront } from './harness/front.ts';
import { answerLength, runLoad, type LoadJob } from './harness/load-job.ts';
import { isMet } from './harness/goal.ts';
import { mergeRuns } from './harness/merging.ts';
import { fastestOf, median, pair, pick, quantile, shuffled, summarise } from './harness/pairing.ts';
import { cpuMsOfStat, rssMbOfStatus, usageOf } from './harness/proc.ts';
import { missedGoals, renderJson, renderTable } from './harness/report.ts';
import { processesOf, roundsOf } from './harness/row-runs.ts';
import { limitLine, ratioLine, type Row } from './harness/row.ts';

test('a pairing runs both sides in each round, chooses at random which goes first, and forgets the warm-up', async () => {
  const order: string[] = [];
  let n = 0;
  const side = (name: string) => async () => {
    order.push(name);
    return (n += 1);
  };
  const chances = [0.9, 0, 0.5];
  const random = () => chances.shift() ?? 0;
  const rounds = await pair({ rounds: 2, warmUps: 1, ours: side('A'), peer: side('B'), random });
  expect(order.join(' ')).toBe('B A A B B A');
  expect(rounds).toEqual([
    { ours: 3, peer: 4 },
    { ours: 6, peer: 5 },
  ]);
});

test('processes run in random order, each as often as planned', () => {
  const chances = [0.5, 0.9, 0.1];
  expect(shuffled(['H1', 'H1', 'C2'], () => chances.shift() ?? 0)).toEqual(['C2', 'H1', 'H1']);
  expect(shuffled(['H1', 'H1', 'C2']).sort()).toEqual(['C2', 'H1', 'H1']);
});

test('the ratio is the median of the per-round ratios, not the ratio of the medians', () => {
  const rounds = [
    { ours: 10, peer: 10 },
    { ours: 40, peer: 20 },
    { ours: 90, peer: 30 },
  ];
  expect(summarise(rounds)).toEqual({ ours: 40, peer: 20, ratio: 2, spread: [1, 3] });
  expect(
    summarise([
      { ours: 1, peer: 4 },
      { ours: 9, peer: 3 },
      { ours: 4, peer: 5 },
    ]).ratio,
  ).toBe(0.8);
  expect(pick([{ ours: { ms: 1 }, peer: { ms: 2 } }], ({ ms }) => ms)).toEqual([{ ours: 1, peer: 2 }]);
});

test('median and quantile take the middle and the nearest rank, and refuse nothing at all', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([5, 1, 4, 2, 3], 0.99)).toBe(5);
  expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(() => median([])).toThrow('no rounds');
  expect(() => quantile([], 0.5)).toThrow('no values');
});

test('the fastest of several runs stands for a sample', async () => {
  const elapsedMs = [30, 10, 20, 5];
  expect(await fastestOf(3, async () => elapsedMs.shift() ?? 0)()).toBe(10);
  expect(elapsedMs).toEqual([5]);
});

test('CPU time is read behind the name of the process, whatever that holds', () => {
  const rest = 'S 1 1 1 0 -1 4194304 99 0 0 0 123 45 0 0 20 0 7 0 107398 3133440 390';
  expect(cpuMsOfStat(`42 (node) ${rest}`)).toBe(1680);
  expect(cpuMsOfStat(`42 (a) 9 (b c) ${rest}`)).toBe(1680);
  expect(() => cpuMsOfStat('nothing')).toThrow('/proc');
});

test('memory is VmRSS in MB', () => {
  expect(rssMbOfStatus('VmPeak:\t 1 kB\nVmRSS:\t  125000 kB\nThreads:\t7\n')).toBe(128);
  expect(() => rssMbOfStatus('')).toThrow('/proc');
});

test('the use of a living process grows with its work', async () => {
  const busy = spawn(process.execPath, ['-e', 'for (const end = Date.now() + 10_000; Date.now() < end; );'], {
    stdio: 'ignore',
  }); // ends by itself, whatever becomes of us
  try {
    await expect.poll(async () => (await usageOf(busy.pid as number)).cpuMs).toBeGreaterThan(100);
    expect((await usageOf(busy.pid as number)).rssMb).toBeGreaterThan(10);
  } finally {
    busy.kill('SIGKILL');
  }
});

test('an answer is whole by its length or by its last chunk, and a wrong status is an error', () => {
  const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
  expect(answerLength(Buffer.from(sized), 200)).toBe(sized.length);
  expect(answerLength(Buffer.from(sized.slice(0, -1)), 200)).toBeUndefined();
  expect(answerLength(Buffer.from('HTTP/1.1 200 OK\r\n'), 200)).toBeUndefined();
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
  expect(answerLength(Buffer.from(chunked), 200)).toBe(chunked.length);
  expect(answerLength(Buffer.from(chunked.slice(0, -7)), 200)).toBeUndefined();
  expect(() => answerLength(Buffer.from('HTTP/1.1 429 Too Many Requests\r\n\r\n'), 200)).toThrow('expected 200');
});

test('a load is exactly as many requests as asked for, each with its own number', async () => {
  const bodies = new Set<string>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      bodies.add(`${request.url ?? ''} ${body}`);
      response.writeHead(201).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const job: LoadJob = {
      port,
      method: 'POST',
      paths: ['/a', '/b'],
      headers: {},
      body: '{n}',
      status: 201,
      connections: 3,
      requests: 1_600,
      first: 200,
      withinMs: 20_000,
    };
    const result = await runLoad(job);
    expect(bodies.size).toBe(1_600);
    expect([bodies.has('/a 200'), bodies.has('/b 1799')]).toEqual([true, true]);
    expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
    await expect(runLoad({ ...job, status: 200 })).rejects.toThrow('expected 200');
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test('a ready line gives the address, any other line nothing', () => {
  expect(readyUrl('{"level":30,"msg":"ready","url":"http://127.0.0.1:1234"}')).toBe('http://127.0.0.1:1234');
  expect(readyUrl('{"level":30,"msg":"migrated"}')).toBeUndefined();
  expect(readyUrl('not a log line')).toBeUndefined();
});

const row: Row = { id: 'X1', work: 'a thing', against: 'another', run: async () => [] };
/** A ratio that one process measured, with the goal of at most 1.1x. */
const ratioOf = (ours: number, peer: number) => ratioLine('us', [{ ours, peer }], 1.1);

test('a measure of several processes has their medians, and the smallest and largest of their ratios', () => {
  const runs = [[ratioOf(10, 10)], [ratioOf(24, 20)], [ratioOf(27, 30)]];
  expect(mergeRuns(runs)).toEqual([
    {
      measure: 'us',
      ours: 24,
      peer: 20,
      ratio: 1,
      spread: [0.9, 1.2],
      runs: 3,
      goal: { of: 'ratio', is: 'at most', bound: 1.1 },
    },
  ]);
});

test('the spread of a plain limit is the smallest and largest of ours, and so it is where the goal is for ours', () => {
  const runs = [7, 5, 6].map((mb) => [limitLine('MB', mb, 20)]);
  expect(mergeRuns(runs)).toEqual([
    expect.objectContaining({ ours: 6, peer: undefined, ratio: undefined, spread: [5, 7], runs: 3 }),
  ]);
  const goal = { of: 'ours', is: 'at most', bound: 40 } as const;
  expect(mergeRuns([[{ ...ratioOf(30, 10), goal }], [{ ...ratioOf(20, 10), goal }]])[0]?.spread).toEqual([20, 30]);
});

test('the spread of a single process is that of the ratios of its rounds', () => {
  const rounds = [
    { ours: 10, peer: 10 },
    { ours: 30, peer: 20 },
  ];
  const [ratio, limit] = mergeRuns([[ratioLine('us', rounds), limitLine('MB', 5)]]);
  expect([ratio?.spread, ratio?.runs]).toEqual([[1, 1.5], 1]);
  expect(limit?.spread).toBeUndefined();
});

test('measures keep their order, and one that only some processes have is merged of those', () => {
  const runs = [[limitLine('b', 1), limitLine('a', 2)], [limitLine('b', 3)]];
  expect(mergeRuns(runs).map(({ measure, ours, runs: count }) => [measure, ours, count])).toEqual([
    ['b', 2, 2],
    ['a', 2, 1],
  ]);
});

test('a goal is decided on the median of the processes, whatever one of them measured', () => {
  const met = mergeRuns([[ratioOf(18, 10)], [ratioOf(10, 10)], [ratioOf(9, 10)]]);
  const missed = mergeRuns([[ratioOf(9, 10)], [ratioOf(12, 10)], [ratioOf(12, 10)]]);
  expect(missedGoals([{ row, lines: met }])).toEqual([]);
  expect(missedGoals([{ row, lines: missed }])).toEqual(['X1 us: wanted <= 1.10x']);
});

test('a goal bounds the ratio or ours, from above or from below', () => {
  const figures = { ours: 20, ratio: 0.5 };
  expect(isMet({ of: 'ours', is: 'at most', bound: 20 }, figures)).toBe(true);
  expect(isMet({ of: 'ours', is: 'at least', bound: 21 }, figures)).toBe(false);
  expect(isMet({ of: 'ratio', is: 'at least', bound: 0.6 }, figures)).toBe(false);
  expect(isMet({ of: 'ratio', is: 'at most', bound: 0.6 }, figures)).toBe(true);
  expect(isMet({ of: 'ratio', is: 'at most', bound: 0.6 }, { ours: 0 })).toBe(false);
});

test('the table has for each measure its medians, spread, processes, and goal, and says which was missed', () => {
  const lines = mergeRuns([20, 30, 50].map((ours) => [ratioOf(ours, 20), limitLine('MB', ours / 10, 20)]));
  const table = renderTable([
    { row, lines },
    { row, lines: [], failure: 'it broke' },
  ]);
  expect(table).toContain('| X1  | us               | 30.0 | 20.0 | 1.50x | 1.00x-2.50x | 3    | <= 1.10x | MISSED |');
  expect(table).toContain('| X1  | MB               | 3.00 |      |       | 2.00-5.00   | 3    | <= 20    | yes    |');
  expect(table).toContain('| X1  | failed: it broke |');
});

test('the JSON has for each measure its goal and whether it was met', () => {
  const report = JSON.parse(renderJson([{ row, lines: mergeRuns([[ratioOf(30, 20)]]) }])) as {
    rows: { id: string; lines: object[] }[];
  };
  expect(report.rows[0]).toMatchObject({ id: 'X1', lines: [{ ratio: 1.5, goal: { text: '<= 1.10x', met: false } }] });
});

test('three processes share the rounds of a row, a row that is content with one gets one', () => {
  expect([processesOf({}, false), processesOf({}, true), processesOf({}, false, 5)]).toEqual([3, 1, 5]);
  expect(processesOf({ processes: 1 }, false, 5)).toBe(1);
  const shared = { rounds: undefined, isQuick: false, processes: 3 };
  expect([roundsOf(shared, 7), roundsOf(shared, 1)]).toEqual([3, 1]);
  expect(roundsOf({ ...shared, isQuick: true, processes: 1 }, 7)).toBe(3);
  expect(roundsOf({ ...shared, rounds: 15 }, 7)).toBe(15);
});

test('a front passes over a port that nothing listens on, and counts the bytes of both ways', async () => {
  const server = createServer((_request, response) => response.end('x'.repeat(1_000))).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const ports = [gone, server].map((each) => (each.address() as AddressInfo).port);
  await new Promise((resolve) => gone.close(resolve));
  await using front = await startFront(ports);
  for (let call = 0; call < 4; call += 1) {
    const response = await fetch(front.url, { headers: { Connection: 'close' } });
    expect(await response.text()).toHaveLength(1_000);
  }
  expect(front.bytes).toBeGreaterThan(4_000);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
