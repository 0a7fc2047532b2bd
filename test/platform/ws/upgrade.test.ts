import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { upgradeDecider } from '../../../src/platform/ws/upgrade.ts';

/** A server that decides on upgrades after `decideWithinMs` at the latest, as no token is ever found or refused. */
async function startUndecided(decideWithinMs: number) {
  const decide = upgradeDecider({
    routes: [],
    authenticate: () => new Promise(() => undefined),
    noteCaller: () => undefined,
    stopping: () => false,
    decideWithinMs,
  });
  let asked = 0;
  const server = createServer().on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    asked += 1;
    void decide(incoming, socket, head, 'id');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked: () => asked,
    /** Status and Retry-After of one refused upgrade. */
    async ask(): Promise<{ status: number | undefined; retryAfter: number }> {
      const headers = { connection: 'Upgrade', upgrade: 'websocket', authorization: 'Bearer unknown' };
      const sent = request({ port, host: '127.0.0.1', path: '/agent/ws', headers, agent: false }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return { status: response.statusCode, retryAfter: Number(response.headers['retry-after']) };
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

test('who waits behind 1,000 undecided upgrades, or too long, is refused for a time that grows with the number of the refused', async () => {
  await using undecided = await startUndecided(2_000);
  const waiting = Array.from({ length: 1_000 }, () => undecided.ask());
  await expect.poll(undecided.asked).toBe(1_000);
  for (let few = 0; few < 20; few += 1) {
    const { status, retryAfter } = await undecided.ask();
    expect(status).toBe(503);
    expect(retryAfter).toBeLessThanOrEqual(2);
  }
  const refused = await Promise.all(waiting);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  // 1,000 at 200 a second take 5 s, so they return within twice that time.
  const longest = Math.max(...refused.map(({ retryAfter }) => retryAfter));
  expect(longest).toBeGreaterThan(2);
  expect(longest).toBeLessThanOrEqual(12);
});
