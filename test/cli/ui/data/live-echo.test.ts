import { once } from 'node:events';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { liveEcho } from '../../../../cli/ui/data/live-echo.ts';
import { connectorTo } from '../../../support/plain-streams.ts';

/** An echo of those frames, each sent as it stands. */
function echoOf(server: WebSocketServer, frames: readonly string[]) {
  server.once('connection', (socket) => frames.forEach((frame) => socket.send(frame)));
  return liveEcho({
    monitor: { free: () => Promise.resolve(), learn: () => undefined },
    connector: connectorTo(server),
    robotId: 'r1',
    topic: '/chatter',
    now: () => performance.now(),
    lingerMs: 0,
  });
}

test('no frame that a robot sends ends the echo', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const frame = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record(
        {
          type: fc.oneof(fc.constantFrom('status', 'gap', 'std_msgs/String'), fc.jsonValue()),
          level: fc.constantFrom('warn', 'info', null),
          message: fc.jsonValue(),
          seq: fc.jsonValue(),
        },
        { requiredKeys: ['type'] },
      )
      .map((value) => JSON.stringify(value)),
  );
  const last = JSON.stringify({ type: 'std_msgs/String', seq: 1, msg: 'the last' });
  const odd = JSON.stringify({ type: 'status', level: 'warn', message: null });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 50 }), async (frames) => {
      const echo = echoOf(server, [...frames, odd, last]);
      echo.want();
      await expect.poll(() => echo.get().lines.at(-1)).toBe(last);
      echo.end();
    }),
    { numRuns: 20 },
  );
  for (const socket of server.clients) socket.terminate();
  server.close();
});

test('no stream is opened for who left while requests had to wait', async () => {
  const open = vi.fn();
  let isOver = false;
  const echo = liveEcho({
    monitor: {
      free: (signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            isOver = true;
            resolve();
          }),
        ),
      learn: () => undefined,
    },
    connector: { silentSeconds: 30, open },
    robotId: 'r1',
    topic: '/chatter',
    now: () => performance.now(),
    lingerMs: 0,
  });
  echo.want()();
  await expect.poll(() => isOver).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(open).not.toHaveBeenCalled();
  expect(echo.get().failure).toBeUndefined();
});
