import type { BenchDatabase } from './database.ts';
import { bundle, startServer } from './child.ts';
import { spend, startLoadGenerator, type Spent } from './load.ts';
import type { LoadJob } from './load-job.ts';
import { startOurs } from './ours.ts';
import { pair, pick } from './pairing.ts';
import { limitLine, ratioLine, type Line, type RowContext } from './row.ts';

/** Ours and the fastify peer on one database, the same requests to both in turn: CPU, rate and memory. */
export async function compareWithFastify(
  context: RowContext,
  database: BenchDatabase,
  job: Omit<LoadJob, 'port' | 'connections' | 'withinMs' | 'requests'> & { requests: number },
  cpuGoal: number,
): Promise<Line[]> {
  await using ours = await startOurs({ DATABASE_URL: database.url });
  await using peer = await startServer(await bundle('peers/fastify.ts'), {
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
  });
  await using generator = await startLoadGenerator();
  const load = { ...job, requests: context.requests(job.requests), connections: 16, withinMs: 60_000 };
  const rounds = await pair<Spent>({
    rounds: context.rounds(7),
    warmUps: 2,
    ours: () => spend(generator, ours, load),
    peer: () => spend(generator, peer, load),
  });
  const last = rounds.at(-1);
  return [
    ratioLine(
      'CPU us/request',
      pick(rounds, (spent) => spent.cpuUsPerRequest),
      cpuGoal,
    ),
    ratioLine(
      'requests/s, 16 connections',
      pick(rounds, (spent) => spent.requestsPerSecond),
    ),
    ratioLine(
      'p99 ms',
      pick(rounds, (spent) => spent.p99Ms),
    ),
    ...(last ? [limitLine('RSS MB of ours', last.ours.rssMb), limitLine('RSS MB of the peer', last.peer.rssMb)] : []),
  ];
}
