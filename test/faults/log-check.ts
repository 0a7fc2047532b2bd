import { expect } from 'vitest';
import { levelOf, messageOf, type LogSender } from './log-sender.ts';
import type { Body, LogService } from './log-service.ts';

/** What was read of a robot, and was as it should be. */
interface Checked {
  seq: number; // of its newest record
  inSpools: Map<string, number>; // the highest number of each spool
}

/**
 * Reads the logs of robots that rest. Each record that they made must be there once, in the order of its spool, and the
 * numbers of a robot must have no gap.
 */
export function logCheck(service: LogService, senders: readonly LogSender[]) {
  let checked = new Map<LogSender, Checked>();
  const startedAt = new Date().toISOString();

  async function checkNew(): Promise<void> {
    for (const sender of senders) {
      const before = checked.get(sender) ?? { seq: 0, inSpools: new Map<string, number>() };
      checked.set(sender, before);
      for await (const item of recordsAfter(service, sender.robotId, before.seq)) checkNext(before, sender, item);
      const stored = sender.spools.map(({ name }) => before.inSpools.get(name) ?? 0);
      expect(stored, 'records of each spool').toEqual(sender.spools.map(({ words }) => words.length));
      expect(sender.faults).toEqual([]);
    }
  }

  return {
    /** Reads what was not read before. */
    checkNew,

    async checkAll(): Promise<void> {
      checked = new Map();
      await checkNew();
    },

    /** Everything is merged: each record is counted once. */
    async checkCounts(): Promise<void> {
      const { data } = await service.call('GET', `/api/log-stats?since=${startedAt}&by=robot&step=1h`);
      const { total, series } = data as unknown as Counts;
      const robots = senders.map((sender) => ({ robot_id: sender.robotId, ...countsOf([sender]) }));
      expect(total).toMatchObject(countsOf(senders));
      expect(series).toHaveLength(robots.length);
      expect(series).toEqual(expect.arrayContaining(robots.map((robot) => expect.objectContaining(robot) as object)));
    },
  };
}

interface Counts {
  total: object;
  series: object[];
}

function checkNext(checked: Checked, { spools }: LogSender, { seq, level, message }: Body['items'][number]): void {
  const [name = '', number = ''] = message.split(' ', 2);
  const spool = spools.find((each) => each.name === name);
  const next = (checked.inSpools.get(name) ?? 0) + 1;
  const found = { seq, level, record: `${name} ${number}` };
  expect(found).toEqual({ seq: checked.seq + 1, level: levelOf(next), record: `${name} ${next}` });
  expect(message === (spool && messageOf(spool, next)), `${name} ${next} is as it was sent`).toBe(true);
  checked.seq = seq;
  checked.inSpools.set(name, next);
}

async function* recordsAfter(service: LogService, robotId: string, after: number) {
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const path = `/api/robots/${robotId}/logs?after=${after}&limit=1000`;
    const page: Body = await service.call('GET', `${path}${cursor && `&cursor=${cursor}`}`);
    yield* page.items;
    cursor = page.next_cursor;
  }
}

function countsOf(senders: readonly LogSender[]): { lines: number; levels: Record<string, number> } {
  const levels: Record<string, number> = {};
  let lines = 0;
  for (const { words } of senders.flatMap(({ spools }) => spools))
    for (let seq = 1; seq <= words.length; seq += 1) {
      lines += 1;
      levels[levelOf(seq)] = (levels[levelOf(seq)] ?? 0) + 1;
    }
  return { lines, levels };
}
