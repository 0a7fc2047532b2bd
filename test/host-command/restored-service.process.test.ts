import { hash, randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { startHome } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { orgOnServer } from '../support/org-on-server.ts';
import { startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { command } from './command.ts';

const soon = { interval: 100, timeout: 60_000 };

interface Write {
  name: string;
  acknowledgedAtMs: number;
}

/** Clients that create one object after the other until they are stopped. `create` returns how to find it. */
function startWriters(count: number, create: (wanted: string) => Promise<string | undefined>) {
  const written: Write[] = [];
  const state = { stopped: false };
  const clients = Array.from({ length: count }, async (_, client) => {
    for (let n = 1; !state.stopped; n += 1) {
      const name = (await create(`client ${client} object ${n}`)) ?? '';
      written.push({ name, acknowledgedAtMs: Date.now() });
    }
  });
  return {
    written,
    async stop() {
      state.stopped = true;
      await Promise.all(clients);
    },
  };
}

// Two services, an agent and three commands.
test(
  'a backup under load has every write acknowledged before it, and after the loss of all else its service takes the robots over',
  { timeout: 240_000 },
  async () => {
    await using folder = await tempDir();
    await using home = await startHome();
    const at = (name: string) => join(folder.path, name);
    const env = { PORT: String(await freePort()), SERVICE_DATA_DIR: at('first') };
    await using org = await orgOnServer(env);
    /** Publishes a release with this tag and a new artifact, and returns the SHA-256 of that. */
    async function publish(tag: string): Promise<string> {
      const bytes = randomBytes(300_000);
      const sha256 = hash('sha256', bytes);
      await org.data('/api/releases', { tag, artifact_sha256: sha256, artifact_size: bytes.length });
      const uploaded = await fetch(`${org.server.url}/api/artifacts/${sha256}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${org.token}`, 'Content-Type': 'application/octet-stream' },
        body: bytes,
      });
      expect(uploaded.status).toBe(200);
      return sha256;
    }
    const { id: userId = '' } = await org.data('/api/users', { email: 'a@example.com', role: 'viewer' });
    const revoked = await org.data(`/api/users/${userId}/tokens`, {});
    expect((await org.call('POST', `/api/tokens/${revoked['id']}/revoke`)).status).toBeLessThan(300);
    const { id: siteId = '' } = await org.data('/api/sites', { name: 'Osaka' });
    const { id: fleetId = '' } = await org.data('/api/fleets', { site_id: siteId, name: 'AMRs' });
    const key = await org.data('/api/enrollment-keys', { site_id: siteId, fleet_id: fleetId, max_uses: 1 });
    const logFile = at('nav.log');
    await writeFile(logFile, 'line 1\n');
    const args = ['--backend-url', org.server.url, '--log-file', logFile];
    await using agent = startAgent(home, [...args, '--enrollment-key', key['value'] ?? '']);
    await agent.sees('Connected to');

    const writers = startWriters(4, async (name) => (await org.data('/api/sites', { name }))['name']);
    const uploads = startWriters(2, publish);
    await expect.poll(() => writers.written.length, soon).toBeGreaterThan(20);
    await expect.poll(() => uploads.written.length, soon).toBeGreaterThan(5);
    const uploadedBefore = uploads.written.length;
    const begunAtMs = Date.now();
    const taken = await command(at('first'), 'backup', at('backup'));
    expect(taken).toMatchObject({ exitCode: 0, stdout: `${at('backup')}\n` });
    expect(uploads.written.length).toBeGreaterThan(uploadedBefore); // also while it was taken
    await sleep(100);
    await Promise.all([writers.stop(), uploads.stop()]);
    // What the agent sends after the snapshot, the restored service gets from a later number on.
    await writeFile(logFile, 'line 1\nline 2\n');
    const logs = async (url: string) => {
      const headers = { Authorization: `Bearer ${org.token}` };
      const [robot] = await itemsOf(await fetch(`${url}/api/robots`, { headers }));
      const found = await fetch(`${url}/api/robots/${String(robot?.['id'])}/logs?source=file:${logFile}`, { headers });
      return (await itemsOf(found)).map((each) => String(each['message']));
    };
    await expect.poll(() => logs(org.server.url), soon).toContain('line 2');
    expect(await command(at('first'), 'check', at('backup'))).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /\d+ artifacts and log objects .*\naudit chain verified: \d+ entries of 2 orgs/,
      ) as string,
    });
    await org.server.end('SIGKILL');
    await rm(at('first'), { recursive: true, maxRetries: 20, retryDelay: 200 });
    expect(await command(at('second'), 'restore', at('backup'))).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/and \d+ artifacts and log objects; start the service/) as string,
    });

    await using second = await startServer({
      ...env,
      SERVICE_DATA_DIR: at('second'),
      SERVICE_ADMIN_TOKEN: 'x'.repeat(32),
      RATE_LIMIT: 'off',
    });
    const names = new Set((await itemsOf(await org.call('GET', '/api/sites'))).map(({ name }) => name));
    const before = writers.written.filter(({ acknowledgedAtMs }) => acknowledgedAtMs < begunAtMs);
    expect(before.length).toBeGreaterThan(20);
    expect(before.filter(({ name }) => !names.has(name))).toEqual([]);
    // Nothing half done: each site has its entry in the audit log, and the other way round.
    const audit = await itemsOf(await org.call('GET', '/api/audit?operation=createSite&limit=1000'));
    expect(new Set(audit.map((entry) => (entry['after'] as { name: string }).name))).toEqual(names);

    for (const { name: sha256, acknowledgedAtMs } of uploads.written) {
      const artifact = await org.call('GET', `/api/artifacts/${sha256}`);
      if (acknowledgedAtMs >= begunAtMs && artifact.status === 404) continue; // after the snapshot
      expect(hash('sha256', Buffer.from(await artifact.arrayBuffer()))).toBe(sha256);
    }
    const releases = await itemsOf(await org.call('GET', '/api/releases?limit=1000'));
    const published = new Set(releases.map((release) => release['artifact_sha256']));
    const promised = uploads.written.filter(({ acknowledgedAtMs }) => acknowledgedAtMs < begunAtMs);
    expect(promised.filter(({ name }) => !published.has(name))).toEqual([]);
    expect((await org.call('GET', '/api/sites', undefined, revoked['value'])).status).toBe(401);
    expect((await org.call('POST', '/agent/enroll', { name: 'other' }, key['value'])).status).toBeGreaterThan(400);
    expect(
      await home.cli(['audit', 'verify', '--base-url', second.url], { env: { SERVICE_TOKEN: org.token } }),
    ).toMatchObject({
      code: 0,
    });

    const robots = async () => (await itemsOf(await org.call('GET', '/api/robots'))).map(({ online }) => online);
    await expect.poll(robots, soon).toEqual([true]);
    await writeFile(logFile, 'line 1\nline 2\nline 3\n');
    await expect.poll(() => logs(second.url), soon).toContain('line 3');
    expect(await readdir(at('backup'))).toContain('manifest.json');
  },
);

async function itemsOf(response: Response): Promise<Record<string, unknown>[]> {
  return ((await response.json()) as { items: Record<string, unknown>[] }).items;
}
