import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { unauthorized } from '../../../src/kernel/errors.ts';
import { socketServer } from '../../../src/platform/ws/socket-server.ts';
import { upgradeDecider, type UpgradeRoute } from '../../../src/platform/ws/upgrade.ts';

/** A server that decides on upgrades after `decideWithinMs` at the latest; by default, no token is ever found or refused. */
async function startUndecided(
  decideWithinMs: number,
  judge: (path: string) => Promise<never> = () => new Promise(() => undefined),
) {
  const server = socketServer({ maxFrameBytes: 1_024 });
  const route = (path: string, kinds: UpgradeRoute['kinds']) => ({
    path,
    kinds,
    server,
    prepare: () => () => undefined,
  });
  const decide = upgradeDecider({
    routes: [route('/agent/ws', ['robot']), route('/viewer', ['user'])],
    countRead: () => ({}),
    authenticate: (_request, _bearer, { path }) => judge(path),
    noteCaller: () => undefined,
    stopping: () => false,
    decideWithinMs,
  });
  let asked = 0;
  const listener = createServer().on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    asked += 1;
    void decide(incoming, socket, head, 'id');
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    asked: () => asked,
    /** Status, Retry-After and message of one refused upgrade. */
    async ask(path = '/agent/ws'): Promise<{ status: number | undefined; retryAfter: number; message: string }> {
      const headers = { connection: 'Upgrade', upgrade: 'websocket', authorization: 'Bearer unknown' };
      const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const { error } = (await json(response)) as { error: { message: string } };
      const { statusCode: status, headers: answered } = response;
      return { status, retryAfter: Number(answered['retry-after']), message: error.message };
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      listener.closeAllConnections();
      await once(listener, 'close');
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

test('a place is free again once its upgrade is refused, although nothing ever decided on it', async () => {
  await using undecided = await startUndecided(1_000);
  await Promise.all(Array.from({ length: 1_000 }, () => undecided.ask()));
  expect((await undecided.ask()).message).toBe('the service is busy, try again');
});

test('viewers that wait for a verdict take no place of an agent', async () => {
  let refuseAll = () => {};
  const verdict = new Promise<never>((_resolve, reject) => (refuseAll = () => reject(unauthorized('unknown'))));
  const judge = (path: string) => (path === '/viewer' ? verdict : Promise.reject(unauthorized('unknown')));
  await using undecided = await startUndecided(30_000, judge);
  const waiting = Array.from({ length: 1_000 }, () => undecided.ask('/viewer'));
  await expect.poll(undecided.asked).toBe(1_000);
  expect(await undecided.ask('/viewer')).toMatchObject({ status: 503 });
  expect(await undecided.ask()).toMatchObject({ status: 401 });
  refuseAll();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([401]));
});
