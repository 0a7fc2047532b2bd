import type { KeptRecord } from '../../src/logs/model.ts';
import { createLogCounter, logStatPartitions, logStatService } from '../../src/log-stats/service.ts';
import type { World } from './world.ts';

/** Stored lines of a robot with the same text, received one after another from `atMs` on. */
export interface CountedLines extends Partial<Pick<KeptRecord, 'level' | 'source' | 'message'>> {
  robotId: string;
  fleetId: string;
  atMs: number;
  lines?: number; // default 1
  everyMs?: number; // default 0
}

const dayMs = 86_400_000;
/** The first instant of a day before today, in UTC. */
export const daysAgoMs = (days: number): number => (Math.floor(Date.now() / dayMs) - days) * dayMs;

/** A line of a chunk. */
export const lineOf = (record: Partial<KeptRecord>): string =>
  JSON.stringify({ ts: '2026-11-21T09:00:00Z', level: 'info', source: 'journal', message: 'said', ...record });

/** Counts these lines of the org, as merging does. Every second one of them waits to be added to its hour and day. */
export async function countLines(
  world: Pick<World, 'db' | 'orgId'>,
  lines: readonly CountedLines[],
  countedTo?: Date,
): Promise<void> {
  const stats = logStatService(world.db);
  await logStatPartitions(world.db).make([...new Set(lines.map(({ atMs }) => Math.floor(atMs / dayMs) * dayMs))]);
  const isEven = (_lines: CountedLines, index: number) => index % 2 === 0;
  await stats.add(world.orgId, countsOf(lines.filter(isEven)));
  await stats.rollUp({ isAllDue: true });
  const others = lines.filter((each, index) => !isEven(each, index));
  await world.db.transaction(async (trx) => {
    await logStatService(trx).add(world.orgId, countsOf(others));
    if (countedTo) await logStatService(trx).setCountedTo([{ orgId: world.orgId, at: countedTo }]);
  });
}

function countsOf(lines: readonly CountedLines[]) {
  const counter = createLogCounter();
  for (const { robotId, fleetId, atMs, lines: count = 1, everyMs = 0, ...record } of lines)
    for (let index = 0; index < count; index += 1)
      counter.add(robotId, fleetId, atMs + index * everyMs, lineOf(record));
  return [...counter.counts()];
}
