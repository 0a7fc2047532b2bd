import { expect, test } from 'vitest';
import { hintLog, keptMs } from '../../../src/platform/bus/hint-log.ts';
import { writeMessage, type Message } from '../../../src/platform/bus/hint.ts';

const message = (id: string): Message => ({ id, hint: { topic: 'access_changed', orgId: id } });

function reader() {
  const delivered: (string | undefined)[] = [];
  const log = hintLog(({ id }) => void delivered.push(id));
  const row = (nextXid: number, ids: string[] = []) => ({
    next_xid: String(nextXid),
    hints: ids.map((id) => writeMessage(message(id))),
    older: false,
  });
  return { delivered, log, row };
}

test('a hint is delivered once, whichever way is first', () => {
  const { delivered, log, row } = reader();
  log.read()(row(10), 0);
  expect(log.from).toBe('10');
  log.carry(message('carried first'));
  const take = log.read();
  log.carry(message('carried while it was read'));
  take(row(12, ['carried first', 'read first', 'carried while it was read']), 1_000);
  log.carry(message('read first'));
  expect(delivered).toEqual(['carried first', 'carried while it was read', 'read first']);
});

test('a hint whose transaction was running when others were read is not missed, and those are not delivered again', () => {
  const { delivered, log, row } = reader();
  log.read()(row(10), 0);
  log.read()(row(10, ['short']), 1_000);
  expect(log.from).toBe('10');
  log.read()(row(13, ['long', 'short']), 2_000);
  expect(log.from).toBe('13');
  expect(delivered).toEqual(['short', 'long']);
});

test('a reader that was away for longer than hints are kept, or whose database counts again from earlier, may have lost some', () => {
  const { log, row } = reader();
  expect(log.read()(row(10), 0)).toBe(false);
  expect(log.read()(row(11), keptMs)).toBe(false);
  expect(log.read()(row(12), 2 * keptMs + 1)).toBe(true);
  expect(log.read()(row(9), 2 * keptMs + 2)).toBe(true);
  expect(log.from).toBe('9');
});

test('rows can be dropped after a minute, from the transactions that had ended by then', () => {
  const { log, row } = reader();
  for (let second = 0; second < 60; second += 1) log.read()(row(100 + second), second * 1_000);
  expect(log.droppable(59_000)).toBe(undefined);
  expect(log.droppable(keptMs)).toBe('100');
  expect(log.droppable(keptMs + 2_500)).toBe('102');
});
