import { expect, test } from 'vitest';
import { flowControlOf } from '../../../src/platform/ws/flow-control.ts';

/** What brakes do to a socket. */
function socketAt(readyState: 1 | 2) {
  let isPaused = false;
  return {
    readyState,
    OPEN: 1 as const,
    pause: () => void (isPaused = true),
    resume: () => void (isPaused = false),
    isPaused: () => isPaused,
  };
}

test('a socket that two stopped is read when both let it go on, whoever began', () => {
  const socket = socketAt(1);
  const brake = flowControlOf(socket);
  const [pipe, recorder] = [brake(), brake()];
  pipe.pause();
  recorder.pause();
  recorder.pause();
  pipe.resume();
  expect(socket.isPaused()).toBe(true);
  recorder.resume();
  expect(socket.isPaused()).toBe(false);
  recorder.pause();
  pipe.resume(); // it had not stopped it
  expect(socket.isPaused()).toBe(true);
});

test('a socket that is closing is not stopped, so that its end is heard', () => {
  const socket = socketAt(2);
  flowControlOf(socket)().pause();
  expect(socket.isPaused()).toBe(false);
});
