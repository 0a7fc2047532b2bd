import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Message } from '../../../src/platform/http/request/message.ts';

const hourMs = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a body that is not here in time is told once, however long it was given', () => {
  const message = new Message(new Socket());
  const onLate = vi.fn();
  message.expectBody(30_000, onLate);
  message.giveUpAfter(hourMs);
  vi.advanceTimersByTime(hourMs - 1);
  expect(onLate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(hourMs);
  expect(onLate).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a request whose caller has left before its body was here is held half a minute more, and not as long as a body may take', () => {
  const socket = new Socket();
  const message = new Message(socket);
  const onLate = vi.fn();
  message.expectBody(30_000, onLate);
  message.giveUpAfter(hourMs);
  socket.destroy();
  vi.advanceTimersByTime(30_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(onLate).not.toHaveBeenCalled();
});
