import { expect, test } from 'vitest';
import { hintLog, keptMs } from '../../../src/platform/bus/hint-log.ts';
import { writeMessage, type Message } from '../../../src/platform/bus/hint.ts';

const message = (id: string): Message => ({ id, hint: { topic: 'access_changed', orgId: id } });

function reader() {
  const delivered: (string | undefined)[] = [];
  const log = hintLog(({ id }) => void delivered.push(id));
  const row = (end: number, ids: string[] = []) => ({
    snapshot: `${end}:${end}:`,
    hints: ids.map((id) => writeMessage(message(id))),
    older: false,
  });
  return { delivered, log, row };
}

test('a hint is delivered once, whichever way is first', () => {
  const { delivered, log, row } = reader();
  log.begin()(row(10), 0);
  expect(log.snapshot).toBe('10:10:');
  log.carry(message('carried first'));
  const take = log.begin();
  log.carry(message('carried while it was read'));
  take(row(12, ['carried first', 'read first', 'carried while it was read']), 1_000);
  log.carry(message('read first'));
  log.begin()(row(13), 2_000);
  log.carry(message('carried later'));
  log.begin()(row(14, ['carried later']), 3_000);
  expect(delivered).toEqual(['carried first', 'carried while it was read', 'read first', 'carried later']);
});

test('hints may be lost for a reader that was away for longer than they are kept, or that lags by too many', () => {
  const { delivered, log, row } = reader();
  expect(log.begin()(row(10), 0)).toBe(false);
  expect(log.begin()(row(11), keptMs)).toBe(false);
  expect(log.begin()(row(12), 2 * keptMs + 1)).toBe(true);
  const many = Array.from({ length: 10_001 }, (_each, index) => String(index));
  expect(log.begin()(row(13, many), 2 * keptMs + 2)).toBe(true);
  expect(delivered).toEqual([]);
  expect(log.begin()(row(14, many.slice(1)), 2 * keptMs + 3)).toBe(false);
  expect(delivered).toHaveLength(10_000);
});

test('hints may be lost if the database counts again from earlier, or has one of a newer release', () => {
  const { delivered, log, row } = reader();
  expect(log.begin()(row(10), 0)).toBe(false);
  expect(log.begin()(row(9), 1)).toBe(true);
  const newer = JSON.stringify({ topic: 'moon_changed', orgId: 'o', id: 'newer' });
  const read = row(11, ['known']);
  expect(log.begin()({ ...read, hints: [newer, ...read.hints] }, 2)).toBe(true);
  expect(delivered).toEqual(['known']);
});

test('rows can be dropped after a minute: those that a reading of that time shows', () => {
  const { log, row } = reader();
  for (let second = 0; second < 60; second += 1) log.begin()(row(100 + second), second * 1_000);
  expect(log.droppable(59_000)).toBe(undefined);
  expect(log.droppable(keptMs)).toBe('100:100:');
  expect(log.droppable(keptMs + 2_500)).toBe('102:102:');
});
