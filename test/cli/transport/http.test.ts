import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { send, type HttpCall } from '../../../cli/transport/http.ts';
import { listen } from '../../support/cli.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startTlsFront, tlsHost } from '../../support/tls-front.ts';
import { testWith } from '../../support/tools.ts';
import { promptMs, within } from '../../support/until.ts';

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Accepts, and is silent. */
const muteServer = () => createServer((socket) => socket.on('error', () => undefined).resume());

/** A call through a proxy whose tunnels end at the port. */
async function callTo(port: number, call: Partial<HttpCall> = {}) {
  const proxy = await listen((_, response) => response.end(), port);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const outcome = send({
    method: 'GET',
    url: new URL(`https://${tlsHost}`),
    headers: {},
    proxy: new URL(proxy.url),
    ...call,
  });
  return within(outcome, promptMs, () => 'it waits');
}

const silence = { silenceMs: 300 };
const timedOut = { fault: 'timeout', message: 'no response within 0.3 s' };

test('a call through a proxy ends if the service accepts the connection and is silent', async () => {
  await expect(callTo(await portOf(muteServer()), silence)).rejects.toMatchObject(timedOut);
});

testWith('openssl')('a call through a proxy ends if no reply comes, or if it stops in the middle', async () => {
  await using folder = await tempDir();
  await using server = await listen((request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'Content-Length': '2' }).write('a');
    if (request.url === '/whole') response.end('ab');
  });
  await using tls = await startTlsFront(folder.path, Number(new URL(server.url).port));
  const authorities = [readFileSync(tls.cert, 'utf8')];
  const get = (path: string) =>
    callTo(tls.port, { ...silence, url: new URL(`https://${tlsHost}${path}`), authorities });
  await expect(get('/none')).rejects.toMatchObject(timedOut);
  await expect(get('/half')).rejects.toMatchObject(timedOut);
  expect((await get('/whole')).body.toString()).toBe('ab');
});

test('an abort ends a call whose proxy has not responded yet', async () => {
  const proxy = new URL(`http://127.0.0.1:${await portOf(muteServer())}`);
  await expect(callTo(0, { proxy, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({ fault: 'network' });
});

test('a proxy may have an IPv6 address, and a password with a percent sign', async () => {
  let credentials: string | undefined;
  await using listener = await listen((request, response) => {
    credentials = request.headers['proxy-authorization'];
    response.end('ok');
  });
  const proxy = new URL(listener.url.replace('127.0.0.1', 'kim:50%@[::ffff:127.0.0.1]'));
  const get = (url: string) => send({ method: 'GET', url: new URL(url), headers: {}, proxy });
  expect((await get(`http://${tlsHost}`)).body.toString()).toBe('ok');
  expect(credentials).toBe(`Basic ${Buffer.from('kim:50%').toString('base64')}`);
  await expect(get(`https://${tlsHost}`)).rejects.toMatchObject({
    fault: 'proxy',
    message: expect.stringContaining('responded with 502') as string,
  });
});

test('a proxy without an address is not taken for the service', async () => {
  const proxy = new URL('http://no-such-proxy.invalid:3128');
  for (const url of [`http://${tlsHost}`, `https://${tlsHost}`])
    await expect(callTo(0, { url: new URL(url), proxy })).rejects.toMatchObject({
      fault: 'proxy',
      message: expect.stringContaining('no-such-proxy.invalid') as string,
    });
});
