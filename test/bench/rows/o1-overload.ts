import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { seedFleet, seedRobotTokens, type FleetData } from '../harness/fleet-data.ts';
import { startJobProcess, startStreamProcess } from '../harness/links.ts';
import type { OpenLoadJob, OpenResult, OpenStream } from '../harness/open-load-job.ts';
import { startOurs } from '../harness/ours.ts';
import { median, quantile } from '../harness/pairing.ts';
import { leastLine, limitLine, type Row, type RowContext } from '../harness/row.ts';
import { openShell, type } from '../harness/typing.ts';

/** Sealing of the audit log comes after the requests. */
const settleMs = 5_000;
const orgs = 4;
const robots = 250;
const stepSeconds = 3;
const overloadSeconds = 10;
const keys = 1_000;
const goodputGoal = 0.8;
const refusalGoalMs = 100;
const otherOrgGoal = 2;
const firstPerSecond = 200;
const stepFactor = 1.3;
/** Share of changes in a load, and shares of the peak that agents, and the org beside a burst, ask for. */
const changeShare = 0.05;
const agentShare = 0.05;
const otherShare = 0.1;
const usualShare = 0.5;

/** Moves all threads of this process to a core; what it starts later runs there too. */
async function moveTo(core: number, note: RowContext['note']): Promise<void> {
  if (availableParallelism() < 2 && core === 0) return note('  one core: load and server share it');
  await promisify(execFile)('taskset', ['-a', '-p', '-c', String(core), String(process.pid)]);
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const pages = ({ userToken }: FleetData, perSecond: number): OpenStream => ({
  perSecond,
  method: 'GET',
  path: '/api/robots?limit=50',
  headers: bearer(userToken),
  status: 200,
});
const sites = ({ userToken }: FleetData, perSecond: number): OpenStream => ({
  perSecond,
  method: 'POST',
  path: '/api/sites',
  body: '{"name":"site {n}"}',
  status: 201,
  headers: { ...bearer(userToken), 'content-type': 'application/json' },
});
/** A payload that does not exist: the token and the look-up cost the same. */
const payloads = (token: string, perSecond: number): OpenStream => ({
  perSecond,
  method: 'GET',
  path: `/agent/payloads/${'0'.repeat(64)}`,
  headers: bearer(token),
  status: 404,
});
/** Of all orgs alike. Few changes: they take precedence, so that more would be another mix at twice the peak. */
const mix = (fleets: readonly FleetData[], perSecond: number): OpenStream[] =>
  fleets.flatMap((fleet) => [
    pages(fleet, (perSecond * (1 - changeShare)) / fleets.length),
    sites(fleet, (perSecond * changeShare) / fleets.length),
  ]);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const servedOf = (results: readonly OpenResult[]): number => sum(results.map(({ inTime }) => inTime));
const percentOf = (results: readonly OpenResult[], count: (result: OpenResult) => number): number =>
  (100 * sum(results.map(count))) / sum(results.map(({ sent }) => sent));

/** Four orgs list robots and create sites. The load has a core of its own; server and Postgres share the other. */
export const overloadRow: Row = {
  id: 'O1',
  work: 'twice the load that saturates the server, and a burst of one org',
  against: 'the most that it served; the other org without the burst',
  async run(context) {
    const { note } = context;
    await moveTo(0, note);
    const database = await context.database('o1');
    const fleets: FleetData[] = [];
    for (let org = 0; org < orgs; org += 1) fleets.push(await seedFleet(database.url, robots));
    const [bursting, other] = fleets as [FleetData, FleetData, ...FleetData[]];
    const [shellToken = '', agentToken = ''] = await seedRobotTokens(database.url, other);
    await using server = await startOurs({ DATABASE_URL: database.url });
    await moveTo(1, note);
    await using loader = await startJobProcess<OpenLoadJob, OpenResult[]>('harness/open-load-process.ts');
    await using robot = await startStreamProcess();
    await robot.run({ kind: 'link', url: server.url, token: shellToken });
    const viewer = await openShell(server.url, other.robotIds[0] ?? '', other.userToken);
    const port = Number(new URL(server.url).port);
    const load = (seconds: number, streams: OpenStream[]) => loader.run({ port, seconds, streams });

    /** The most requests per second that are served, at whatever load. */
    async function findPeak(): Promise<number> {
      let peak = 0;
      for (let perSecond = firstPerSecond, late = 0; late < 2; perSecond *= stepFactor) {
        const goodput = servedOf(await load(stepSeconds, mix(fleets, perSecond))) / stepSeconds;
        note(`  ${Math.round(perSecond)} requests/s: ${Math.round(goodput)} served`);
        peak = Math.max(peak, goodput);
        late = goodput < 0.9 * perSecond ? late + 1 : 0;
      }
      return peak;
    }
    const idleKeys = await type(viewer, context.requests(keys));
    const peak = median([await findPeak(), await findPeak(), await findPeak()]);

    const overloading = load(overloadSeconds, [...mix(fleets, 2 * peak), payloads(agentToken, agentShare * peak)]);
    const typed = await type(viewer, context.requests(keys));
    const results = await overloading;
    const [agents, ofPeople] = [results.slice(-1), results.slice(0, -1)];
    const goodput = servedOf(ofPeople) / overloadSeconds;
    const refusedMs = ofPeople.flatMap((each) => each.refusedMs);

    /** p99 in ms of the other org, while the first asks for this share of the peak. */
    async function beside(share: number): Promise<number> {
      await sleep(settleMs);
      const [quiet] = await load(overloadSeconds, [pages(other, otherShare * peak), ...mix([bursting], share * peak)]);
      note(
        `  beside ${share}: p50 ${quantile(quiet?.servedMs ?? [], 0.5).toFixed(1)} ms, ${quiet?.refusedMs.length} refused`,
      );
      return quantile(quiet?.servedMs ?? [], 0.99);
    }
    const [alone, usual, burst] = [await beside(0.001), await beside(usualShare), await beside(2)];
    viewer.terminate();
    return [
      limitLine('requests/s served, the peak', peak),
      leastLine('served at twice the peak, share of it', goodput / peak, goodputGoal),
      limitLine(
        'p99 ms that the load was late',
        quantile(
          ofPeople.flatMap(({ lateMs }) => lateMs),
          0.99,
        ),
      ),
      limitLine(
        'p50 ms of the served',
        quantile(
          ofPeople.flatMap((each) => each.servedMs),
          0.5,
        ),
      ),
      limitLine('p50 ms of refusals', quantile(refusedMs, 0.5)),
      limitLine('p99 ms of refusals', quantile(refusedMs, 0.99), refusalGoalMs),
      limitLine(
        '% neither served nor refused',
        percentOf(ofPeople, ({ failed }) => failed),
        0,
      ),
      limitLine(
        '% of requests of agents refused',
        percentOf(agents, ({ refusedMs: { length } }) => length),
      ),
      limitLine(
        'p99 ms of requests of agents',
        quantile(
          agents.flatMap((each) => each.servedMs),
          0.99,
        ),
      ),
      limitLine('p99 ms of keystrokes', typed.p99Ms),
      limitLine('p99 ms of keystrokes, idle', idleKeys.p99Ms),
      limitLine('p99 ms of the other org, alone', alone),
      limitLine('p99 ms of the other org, beside half the peak', usual),
      {
        measure: 'p99 ms of the other org, beside a burst of twice the peak',
        ours: burst,
        peer: usual,
        ratio: burst / usual,
        goal: { of: 'ratio', is: 'at most', bound: otherOrgGoal },
      },
    ];
  },
};
