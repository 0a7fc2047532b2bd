import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { beforeAll, expect } from 'vitest';
import { createClient } from '../../../cli/client/index.ts';
import { stateOf } from '../../support/agent-process.ts';
import { agentFile } from '../../support/agent-releases.ts';
import { startHome } from '../../support/cli.ts';
import { orgOnServer } from '../../support/org-on-server.ts';
import { sha256 } from '../../support/orders.ts';
import { startPlainPostgres } from '../../support/plain-postgres.ts';
import { buildPrevious } from '../../support/previous-release.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { testWith } from '../../support/tools.ts';

let previous: string;

beforeAll(async () => {
  previous = await buildPrevious();
});

const pairs = [
  ['the previous release', 'this one', () => ({ agent: join(previous, 'dist/agent.mjs'), service: undefined })],
  ['this release', 'the previous one', () => ({ agent: agentFile, service: join(previous, 'dist/server/main.js') })],
] as const;

testWith('postgresql', 'git history').for(pairs)(
  'an agent of %s enrolls at a service of %s, sends logs, applies a config and a release, serves a shell and changes its token',
  async ([, , programs]) => {
    const { agent: program, service } = programs();
    await using postgres = await startPlainPostgres();
    await using folder = await tempDir();
    await using org = await orgOnServer(
      { DATABASE_URL: postgres.url, SERVICE_DATA_DIR: folder.path },
      service === undefined ? undefined : [process.execPath, service],
    );
    const { call, data, server, token } = org;
    const get = async (path: string) =>
      (await (await call('GET', path)).json()) as { items: Record<string, string>[]; data: Record<string, string> };
    const { id: site_id } = await data('/api/sites', { name: 'Osaka' });
    const { id: fleet_id } = await data('/api/fleets', { name: 'pickers', site_id });
    const { value: key = '' } = await data('/api/enrollment-keys', { site_id, fleet_id });

    await using home = await startHome();
    const log = join(home.path, 'nav.log');
    await writeFile(log, 'line 1\n');
    const flags = ['run', '--backend-url', server.url, '--heartbeat-seconds', '1', '--log-file', log, '--allow-shell'];
    const running = home.start(flags, { program, env: { SERVICE_ENROLLMENT_KEY: key } });
    await running.sees('Connected to');
    const [robot] = (await get('/api/robots')).items;
    const id = robot?.['id'] ?? '';

    await appendFile(log, 'line 2\n');
    const lines = async () =>
      (await get(`/api/robots/${id}/logs?source=file:${log}`)).items.map((each) => each['message']);
    await expect.poll(lines).toContain('line 2');

    const ended = async (path: string, of: object) => {
      const made = await data(path, { ...of, target_kind: 'robot', target_id: id });
      await expect.poll(async () => (await get(`${path}/${made['id']}`)).data['status']).toBe('applied');
    };
    const config = await data('/api/configs', { key: 'nav.max_speed', value: 1.2 });
    await ended('/api/configs/deployments', { config_id: config['id'] });
    expect(JSON.parse(await readFile(join(stateOf(home), 'config', 'default.json'), 'utf8'))).toEqual({
      'nav.max_speed': 1.2,
    });

    const bytes = 'the map';
    const artifact = { artifact_sha256: sha256(bytes), artifact_size: bytes.length, kind: 'file' };
    const release = await data('/api/releases', { tag: 'map-1', ...artifact });
    const uploaded = await fetch(`${server.url}/api/artifacts/${sha256(bytes)}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/octet-stream' },
      body: bytes,
    });
    expect(uploaded.ok).toBe(true);
    await ended('/api/deployments', { release_id: release['id'] });

    const client = createClient({ baseUrl: server.url, token, WebSocket });
    const shell = await client.streams.openShell(id, { command: ['cat'] });
    await shell.write('hello\n');
    for await (const text of shell.text()) if (text.includes('hello')) break;
    shell.close();

    const robotToken = async () => (await get('/api/tokens?kind=robot')).items[0];
    const before = await robotToken();
    await call('POST', `/api/robots/${id}/rotate-token`);
    await expect.poll(async () => (await robotToken())?.['last_four']).not.toBe(before?.['last_four']);

    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  },
);
