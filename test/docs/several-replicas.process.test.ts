import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startHome } from '../support/cli.ts';
import { openShell, openStream, shellAgent } from '../support/dial-back.ts';
import { blocksOf, documentAt } from '../support/documents.ts';
import { factories } from '../support/factories.ts';
import { connectAgent, UpgradeRefused } from '../support/fake-agent.ts';
import { startProxy, type ProxyKind } from '../support/proxies.ts';
import { startReplica } from '../support/replicas.ts';
import { robotsOf } from '../support/robots.ts';
import { together } from '../support/together.ts';
import { testWith } from '../support/tools.ts';
import { adminToken } from '../support/service.ts';
import { startIsolatedWorld } from '../support/world.ts';

/** The idle time of requests, shortened; that of WebSockets stays as it is. */
const idleMs = 1_000;
const shortIdle: Record<ProxyKind, Record<string, string>> = {
  haproxy: { 'timeout client 65s': 'timeout client 1s', 'timeout server 65s': 'timeout server 1s' },
  nginx: { 'proxy_read_timeout 65s': 'proxy_read_timeout 1s', 'proxy_send_timeout 65s': 'proxy_send_timeout 1s' },
};

/** Two replicas behind the load balancer, beside a world that shares their database. */
const startBehind = (kind: ProxyKind, changes?: Record<string, string>) =>
  together(async (own) => {
    const world = own(await startIsolatedWorld());
    const replica = async () => own(await startReplica(world, { TRUST_PROXY: '127.0.0.1' }));
    const replicas = await Promise.all([replica(), replica()]);
    const urls = replicas.map(({ url }) => url);
    const { url } = own(await startProxy(kind, urls, changes));
    const call = (path: string, init: RequestInit = {}, token = world.orgToken) => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', `Bearer ${token}`);
      return fetch(`${url}${path}`, { ...init, headers });
    };
    return { world, replicas, url, call };
  });

for (const kind of ['haproxy', 'nginx'] as const) {
  const testBehind = testWith(kind);

  describe(`behind ${kind}, with the example of the documentation`, () => {
    testBehind('requests pass, the routes of the replicas do not, and idle live streams stay open', async () => {
      await using scene = await startBehind(kind, shortIdle[kind]);
      const { world, url, call } = scene;
      const robots = robotsOf(world);
      const robot = await robots.enroll();
      // A client cannot choose its address.
      const from = { localAddress: '127.0.0.2', headers: { 'X-Forwarded-For': '203.0.113.9' } };
      using agent = await shellAgent(url, robot.robot_token, from);
      const connected = (await robots.timeline(robot)).find((entry) => entry.kind === 'connected');
      expect(connected?.details['address']).toBe('127.0.0.2');
      const token = world.orgToken;
      using shell = await openShell(url, agent, robot.robot_id, token);
      using logs = await openStream(`${url}/api/robots/${robot.robot_id}/logs/ws`, { token });
      const idleUntil = sleep(2 * idleMs);

      expect((await call('/api/whoami')).status).toBe(200);
      const refused = await call('/api/whoami', {}, `svc_org_${'0'.repeat(64)}`);
      expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 'unauthorized' } }]);

      for (const path of ['/internal/asks/1', '//internal/asks/1', '/%69nternal/asks/1', '/metrics']) {
        expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
      }
      await expect(openStream(`${url}/internal/asks/1`)).rejects.toMatchObject({ status: 404 });

      await idleUntil;
      shell.viewer.socket.send(Buffer.from('ls\r'));
      await expect.poll(() => shell.robot.bytes().toString()).toBe('ls\r');
      const record = { seq: 1, ts: new Date().toISOString(), level: 'info', source: 'nav', message: 'still here' };
      agent.send({ type: 'logs', spool: 'a', from_seq: 1, to_seq: 1, records: [record] });
      await expect.poll(() => logs.frames.join('')).toContain('still here');
    });

    testBehind(
      'files pass, and while a replica is stopping, its part of requests and links goes to another one',
      async () => {
        await using scene = await startBehind(kind);
        const { world, url, call, replicas } = scene;
        const bytes = randomBytes(24 * 2 ** 20);
        const digest = createHash('sha256').update(bytes).digest('hex');
        await factories(world).release({ artifact_sha256: digest, artifact_size: bytes.length });
        const type = { 'Content-Type': 'application/octet-stream' };
        const stored = await call(`/api/artifacts/${digest}`, { method: 'PUT', headers: type, body: bytes });
        expect(stored.status, await stored.text()).toBeLessThan(300);

        const robots = await robotsOf(world).enrollMany(6);
        const ended = replicas[0].end('SIGTERM');
        const ready = async () => (await fetch(`${replicas[0].url}/readyz`)).status;
        await expect.poll(ready, { interval: 10 }).toBe(503);
        for (const { robot_token } of robots) {
          using agent = await connectAgent(url, robot_token).catch((error: unknown) => {
            throw error instanceof UpgradeRefused ? new Error(`refused with ${error.status}`) : error;
          });
          expect(agent.socket.readyState).toBe(1);
          expect((await call('/api/whoami')).status).toBe(200);
        }
        await ended;
        for (let count = 0; count < 4; count += 1) expect((await call('/api/whoami')).status).toBe(200);
      },
    );
  });
}

test('the first org is created with the commands that the guide prints', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome({ SERVICE_ADMIN_TOKEN: adminToken });
  const lines = blocksOf(documentAt('docs/how-to/several-replicas.md')).flatMap(({ text }) => text.split('\n'));
  const [create = '', approve = ''] = lines.filter((line) => line.includes('cli admin orgs'));
  const run = async (line: string, org = '') => {
    const said = line.replace(/^org=\$\((.*)\)$/, '$1').replace('http://10.0.0.11:8080', world.url);
    const words = said.replace('"$org"', org).split(' ').slice(1);
    const { code, stdout, stderr } = await home.cli(words);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return stdout.trim();
  };
  expect(await run(approve, await run(create))).toMatch(/svc_org_[0-9a-f]{64}/);
});
