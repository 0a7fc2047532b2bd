import type { BenchDatabase } from './database.ts';
import { bundle, startServer, type RunningServer } from './child.ts';
import { spend, startLoadGenerator, type Spent } from './load.ts';
import type { LoadJob } from './load-job.ts';
import { startOurs } from './ours.ts';
import { pair, pick, type Round } from './pairing.ts';
import { ratioLine, type Line, type RowContext } from './row.ts';

type Job = Omit<LoadJob, 'port' | 'connections' | 'withinMs' | 'requests' | 'first'> & { requests: number };

interface Measurement {
  job: Job;
  /** Rounds that count. */
  rounds: number;
  /** Awaited before the CPU time of a round is read: work that a server does after its responses. Default: none. */
  settled?: (side: 'ours' | 'peer') => Promise<void>;
}

/**
 * Starts ours and the fastify peer, each on its database, for as long as `work` takes. `measure` sends the same requests to
 * both in turn; each `{n}` of their bodies occurs once for each side.
 */
export async function withFastify<T>(
  context: RowContext,
  databases: { ours: BenchDatabase; peer: BenchDatabase },
  work: (measure: (measurement: Measurement) => Promise<Round<Spent>[]>) => Promise<T>,
): Promise<T> {
  await using ours = await startOurs({ DATABASE_URL: databases.ours.url });
  await using peer = await startServer(await bundle('peers/fastify.ts'), {
    NODE_ENV: 'production',
    DATABASE_URL: databases.peer.url,
  });
  await using generator = await startLoadGenerator();
  let first = 0;
  return await work(({ job, rounds, settled }) => {
    const requests = context.requests(job.requests);
    const side = (name: 'ours' | 'peer', server: RunningServer) => () => {
      const load = { ...job, requests, first, connections: 16, withinMs: 60_000 };
      first += requests;
      return spend(generator, server, load, () => settled?.(name));
    };
    return pair<Spent>({
      rounds: context.rounds(rounds),
      warmUps: 2,
      ours: side('ours', ours),
      peer: side('peer', peer),
    });
  });
}

/** The lines of a row about requests; the goals are for the ratios of CPU and memory, none for memory if left out. */
export const requestLines = (rounds: readonly Round<Spent>[], goals: { cpu: number; rss?: number }): Line[] => [
  ratioLine(
    'CPU us/request',
    pick(rounds, (spent) => spent.cpuUsPerRequest),
    goals.cpu,
  ),
  ratioLine(
    'requests/s, 16 connections',
    pick(rounds, (spent) => spent.requestsPerSecond),
  ),
  ratioLine(
    'p99 ms',
    pick(rounds, (spent) => spent.p99Ms),
  ),
  ratioLine(
    'RSS MB',
    pick(rounds, (spent) => spent.rssMb),
    goals.rss,
  ),
];
