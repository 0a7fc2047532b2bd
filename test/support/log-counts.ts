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

/** Counts these lines of the org, as merging does. */
export async function countLines(
  world: Pick<World, 'db' | 'orgId'>,
  lines: readonly CountedLines[],
  countedTo?: Date,
): Promise<void> {
  const counter = createLogCounter(world.orgId);
  const days = new Set<number>();
  for (const { robotId, fleetId, atMs, lines: count = 1, everyMs = 0, ...record } of lines)
    for (let index = 0; index < count; index += 1) {
      const receivedAtMs = atMs + index * everyMs;
      days.add(Math.floor(receivedAtMs / dayMs) * dayMs);
      counter.add(robotId, fleetId, receivedAtMs, lineOf(record));
    }
  await logStatPartitions(world.db).make([...days]);
  await world.db.transaction(async (trx) => {
    const stats = logStatService(trx);
    await stats.add(counter.counts());
    if (countedTo) await stats.setCountedTo([{ orgId: world.orgId, at: countedTo }]);
  });
}
