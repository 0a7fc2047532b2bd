import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { backoffMs } from '../../../cli/transport/backoff.ts';
import { agentLink, type AgentLink, type LinkSettings, type LinkStatus } from '../../../cli/agent/link.ts';
import type { Hello, ServerFrame } from '../../../generated/frames.js';
import { startAgentServer, type AgentServer } from '../../support/agent-server.ts';

interface Watched extends AsyncDisposable {
  link: AgentLink;
  statuses: LinkStatus[];
  frames: ServerFrame[];
}

const hello = (): Hello => ({ type: 'hello', protocol: 1, agent_version: 'fleet-agent/test', boot_id: 'boot' });

/** A started link; `random` is 0 unless told otherwise, so that waits are as short as they may be. */
function startLink(server: { url: string }, settings: Partial<LinkSettings> = {}): Watched {
  const [statuses, frames]: [LinkStatus[], ServerFrame[]] = [[], []];
  const link = agentLink(
    { backendUrl: server.url, token: 'svc_robot_test', hello, random: () => 0, ...settings },
    { status: (status) => void statuses.push(status), frame: (frame) => void frames.push(frame) },
  );
  link.start();
  return { link, statuses, frames, [Symbol.asyncDispose]: () => link.stop() };
}

const last = (watched: Watched) => watched.statuses.at(-1);
const waiting = (watched: Watched) => {
  const status = last(watched);
  return status?.kind === 'waiting' ? status : undefined;
};
const upLink = (server: AgentServer, watched: Watched) =>
  server.until(() => (last(watched)?.kind === 'up' ? server.links.at(-1) : undefined));

test('waits lie between half a ceiling and the ceiling, which doubles from 2 s to 30 s', () => {
  const ceilings = [2, 4, 8, 16, 30, 30, 30];
  const low = backoffMs(() => 0);
  const high = backoffMs(() => 1);
  expect(ceilings.map(() => low.next().value)).toEqual(ceilings.map((seconds) => seconds * 500));
  expect(ceilings.map(() => high.next().value)).toEqual(ceilings.map((seconds) => seconds * 1000));
  const first = new Set(Array.from({ length: 50 }, () => backoffMs().next().value));
  expect(first.size).toBeGreaterThan(40);
});

test('the token travels in the header, hello goes first, and the clocks are compared', async () => {
  await using server = await startAgentServer();
  await using watched = startLink(server, { socketOptions: { userAgent: 'fleet-agent/test' } });
  expect(watched.link.send({ type: 'heartbeat' })).toBe(false);
  const { request, frames } = await upLink(server, watched);
  expect(request.url).toBe('/agent/ws');
  expect(request.headers).toMatchObject({ authorization: 'Bearer svc_robot_test', 'user-agent': 'fleet-agent/test' });
  expect(frames[0]).toEqual(hello());
  const status = last(watched);
  expect(status?.kind === 'up' && Math.abs(status.clockOffsetMs)).toBeLessThan(10_000);
  expect(watched.link.send({ type: 'heartbeat' })).toBe(true);
  await server.until(() => frames.length === 2);
  await server.until(() => watched.link.rttMs !== undefined);
  expect(watched.link.reconnects).toBe(0);
  expect(server.invalid).toEqual([]);
});

test('frames that break the contract are counted, unknown ones are ignored, and the link lives', async () => {
  await using server = await startAgentServer();
  await using watched = startLink(server);
  const { socket, send } = await upLink(server, watched);
  for (const text of ['no JSON', '[]', '"logs_ack"', '{"type":"logs_ack","spool":"s"}', '{"type":7}'])
    socket.send(text);
  socket.send(Buffer.from([1, 2, 3]));
  socket.send('{"type":"of_a_later_version","x":1}');
  socket.send('{"type":"constructor"}');
  send({ type: 'logs_ack', spool: 's', seq: 4 });
  await server.until(() => watched.frames.length === 2);
  expect(watched.frames.map(({ type }) => type)).toEqual(['welcome', 'logs_ack']);
  expect(watched.link.badFrames).toBe(5);
  expect(last(watched)?.kind).toBe('up');
});

test.each([
  [401, undefined],
  [403, undefined],
  [426, undefined],
])('an upgrade refused with %i is final', async (status) => {
  await using server = await startAgentServer();
  server.refuse = () => ({ status });
  await using watched = startLink(server);
  await server.until(() => last(watched)?.kind === 'ended');
  expect(last(watched)).toMatchObject({ kind: 'ended', final: true, code: status });
});

test('an upgrade that a proxy on the way dropped is tried again', async () => {
  await using server = await startAgentServer();
  server.refuse = () => ({ status: 426, headers: { Upgrade: 'websocket' } });
  await using watched = startLink(server);
  await server.until(() => last(watched)?.kind === 'waiting');
  expect(last(watched)).toMatchObject({
    kind: 'waiting',
    code: 426,
    reason: 'a proxy blocks WebSocket connections',
  });
});

test('an upgrade refused with 401 for now is tried again when the service says', async () => {
  await using server = await startAgentServer();
  server.refuse = () => ({ status: 401, headers: { 'Retry-After': '60' } });
  await using watched = startLink(server, { random: () => 0 });
  await server.until(() => last(watched)?.kind === 'waiting');
  expect(last(watched)).toMatchObject({ kind: 'waiting', waitMs: 60_000, reason: 'the org is suspended' });
});

test.each([4401, 4403, 4426])('a link closed with %i is final', async (code) => {
  await using server = await startAgentServer();
  await using watched = startLink(server);
  (await upLink(server, watched)).socket.close(code, 'for a reason');
  await server.until(() => last(watched)?.kind === 'ended');
  expect(last(watched)).toMatchObject({ kind: 'ended', final: true, code });
  expect(server.links.length).toBe(1);
});

test.each([1000, 1001, 1006, 1008, 1011, 1012, 1013, 4408, 4499])('after %i it connects again', async (code) => {
  await using server = await startAgentServer();
  await using watched = startLink(server);
  const { socket } = await upLink(server, watched);
  if (code === 1006) socket.terminate();
  else socket.close(code);
  await server.until(() => waiting(watched));
  expect(last(watched)).toMatchObject({ kind: 'waiting', waitMs: 1000, code });
  await server.until(() => watched.link.reconnects === 1);
});

test('one that was replaced waits 30 s or more', async () => {
  await using server = await startAgentServer();
  await using watched = startLink(server, { random: () => 0.9 });
  (await upLink(server, watched)).socket.close(4409);
  const status = await server.until(() => waiting(watched));
  expect(status.waitMs).toBeGreaterThanOrEqual(30_000);
});

test('Retry-After is honoured up to an hour, and without it the waits grow', async () => {
  await using server = await startAgentServer();
  const waits = [];
  for (const seconds of ['7', '86400', '-3', 'soon']) {
    server.refuse = () => ({ status: 503, headers: { 'Retry-After': seconds } });
    await using watched = startLink(server);
    waits.push((await server.until(() => waiting(watched))).waitMs);
  }
  expect(waits).toEqual([7_000, 3_600_000, 1_000, 1_000]);
  server.refuse = () => ({ status: 503 });
  await using watched = startLink(server);
  const twice = () => watched.statuses.filter(({ kind }) => kind === 'waiting').length === 2;
  await server.until(twice);
  expect(last(watched)).toMatchObject({ waitMs: 2000, code: 503 });
  // The service is back, and says when to come: sooner than the backoff would.
  server.refuse = () => ({ status: 503, headers: { 'Retry-After': '1' } });
  await server.until(() => watched.statuses.filter(({ kind }) => kind === 'waiting').length === 3);
  expect(last(watched)).toMatchObject({ waitMs: 1000, code: 503 });
});

test('a drain closes the link at a random moment of the time given, and it connects again', async () => {
  await using server = await startAgentServer();
  await using watched = startLink(server, { random: () => 0.01 });
  const { send, socket } = await upLink(server, watched);
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const began = performance.now();
  send({ type: 'drain', within_ms: 60_000 });
  expect(await closed).toBe(1000);
  const tookMs = performance.now() - began;
  expect(tookMs).toBeGreaterThan(550);
  expect(tookMs).toBeLessThan(30_000);
  await server.until(() => watched.link.reconnects === 1);
});

test('three drains in a row are no failures: it comes back within half a second each time, and the backoff starts again', async () => {
  await using server = await startAgentServer();
  await using watched = startLink(server, { random: () => 0.9 });
  for (let drains = 1; drains <= 3; drains += 1) {
    const { send, socket } = await upLink(server, watched);
    send({ type: 'drain', within_ms: 60_000 });
    await server.until(() => watched.frames.at(-1)?.type === 'drain');
    // The service closes what did not leave by itself, or its process ends before it can.
    if (drains === 2) socket.terminate();
    else socket.close(1012);
    await server.until(() => waiting(watched));
    expect(last(watched)).toMatchObject({ waitMs: 450 });
    await server.until(() => watched.link.reconnects === drains);
  }
  (await upLink(server, watched)).socket.terminate();
  await server.until(() => waiting(watched));
  expect(last(watched)).toMatchObject({ waitMs: 1900 });
});

test('links that are closed with 1012 do not make the backoff grow', async () => {
  await using server = await startAgentServer();
  await using watched = startLink(server);
  for (let closes = 1; closes <= 2; closes += 1) {
    (await upLink(server, watched)).socket.close(1012);
    await server.until(() => waiting(watched));
    expect(last(watched)).toMatchObject({ waitMs: 1000, code: 1012 });
    await server.until(() => watched.link.reconnects === closes);
  }
});

test('a service that is not there is tried again, and found when it is', async () => {
  const gone = await startAgentServer();
  const port = Number(new URL(gone.url).port);
  await gone[Symbol.asyncDispose]();
  await using watched = startLink(gone);
  await gone.until(() => waiting(watched));
  expect(last(watched)).toMatchObject({ kind: 'waiting', waitMs: 1000 });
  await using server = await startAgentServer(port);
  await upLink(server, watched);
});

test('a link on which nothing comes any more is dead after the time for that', async () => {
  await using server = await startAgentServer();
  // A cable that was cut: what is sent goes nowhere, and nobody says so.
  let isCut = false;
  const sockets: Socket[] = [];
  const cable = createServer((near) => {
    sockets.push(near);
    const far = connect(Number(new URL(server.url).port), '127.0.0.1');
    sockets.push(far);
    near.on('data', (bytes) => !isCut && far.write(bytes)).on('error', () => undefined);
    far.on('data', (bytes) => !isCut && near.write(bytes)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => cable.listen(0, '127.0.0.1', resolve));
  await using watched = startLink(
    { url: `http://127.0.0.1:${(cable.address() as AddressInfo).port}` },
    { silence: { pingEveryMs: 400, deadAfterMs: 1_200 } },
  );
  let pings = 0;
  (await upLink(server, watched)).socket.on('ping', () => (pings += 1));
  // Longer than that: pings that are answered keep it.
  await expect.poll(() => pings).toBeGreaterThan(5);
  expect(last(watched)?.kind).toBe('up');
  isCut = true;
  const cutAt = performance.now();
  const status = await server.until(() => waiting(watched));
  expect(performance.now() - cutAt).toBeGreaterThan(700);
  expect(performance.now() - cutAt).toBeLessThan(20_000);
  expect(status.reason).toBe('no data received for 1 s');
  await watched.link.stop();
  for (const socket of sockets) socket.destroy();
  cable.close();
});

test('stop closes with 1000, in any state and more than once', async () => {
  await using server = await startAgentServer();
  await using watched = startLink(server);
  const { socket } = await upLink(server, watched);
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await Promise.all([watched.link.stop(), watched.link.stop()]);
  await watched.link.stop();
  expect(await closed).toBe(1000);
  expect(last(watched)).toMatchObject({ kind: 'ended', final: false, reason: 'stopped' });
  const early = startLink(server, { connectDelayMs: 60_000 });
  await early.link.stop();
  expect(last(early)).toMatchObject({ kind: 'ended', final: false });
  const connecting = startLink(server, { connectDelayMs: 0 });
  await server.until(() => last(connecting)?.kind === 'connecting');
  await connecting.link.stop();
  expect(last(connecting)?.kind).toBe('ended');
});
