import { expect, test } from 'vitest';
import { orgOnServer } from '../support/org-on-server.ts';
import { tempDir } from '../support/temp-dir.ts';
import { command } from './command.ts';

test.each([
  [['erase'], 'erase needs robot <id>, org <id> or list. See: fleet-control-service --help\n'],
  [['erase', 'robot'], 'erase robot needs an ID. See: fleet-control-service --help\n'],
  [
    ['erase', 'org', 'x'],
    'This cannot be undone: repeat the line with --yes to erase org x. See: fleet-control-service --help\n',
  ],
  [['erase', 'list', 'x'], 'Unexpected argument "x". See: fleet-control-service --help\n'],
  [['erase', 'list', '--yes'], '--yes belongs to erase robot and erase org. See: fleet-control-service --help\n'],
  [['backup', '--yes'], '--yes belongs to erase and audit trim. See: fleet-control-service --help\n'],
])('the line %j is refused in a sentence', async (words, stderr) => {
  await using folder = await tempDir();
  expect(await command(folder.path, ...words)).toEqual({ exitCode: 2, stdout: '', stderr });
});

test(
  'a robot is erased by one command while the service runs, and the audit log proves it',
  { timeout: 90_000 },
  async () => {
    await using folder = await tempDir();
    await using org = await orgOnServer({ SERVICE_DATA_DIR: folder.path });
    const site = await org.data('/api/sites', { name: 'Osaka' });
    const fleet = await org.data('/api/fleets', { name: 'amr', site_id: site['id'] });
    const key = await org.data('/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] });
    const enrolled = await fetch(`${org.server.url}/agent/enroll`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key['value']}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'amr-1' }),
    });
    const { robot_id: robotId } = ((await enrolled.json()) as { data: { robot_id: string } }).data;
    const nobody = await command(folder.path, 'erase', 'robot', 'amr-1', '--yes');
    expect(nobody).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'amr-1 is not the ID of a robot: cli robots list --fields id,name shows them\n',
    });

    const erased = await command(folder.path, 'erase', 'robot', robotId, '--yes');
    expect(erased).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/: erased .*, removed: robots 1, timeline/),
    });
    expect((await command(folder.path, 'erase', 'list')).stdout).toBe(erased.stdout);
    const read = await fetch(`${org.server.url}/api/audit?operation=eraseRobot`, {
      headers: { Authorization: `Bearer ${org.token}` },
    });
    const { items } = (await read.json()) as { items: object[] };
    expect(items).toEqual([expect.objectContaining({ actor_kind: 'system', object_id: robotId })]);

    expect(await org.server.end('SIGKILL')).toBeNull();
    const later = await command(folder.path, 'erase', 'robot', robotId, '--yes');
    expect(later.stderr).toContain('the erasure continues when the service starts');
  },
);

test(
  'an org that is not approved is erased by one command, and an approved one is not',
  { timeout: 90_000 },
  async () => {
    await using folder = await tempDir();
    await using org = await orgOnServer({ SERVICE_DATA_DIR: folder.path });
    const admin = 'x'.repeat(32);
    const { id = '' } = await org.data('/api/admin/orgs', { name: 'Gone' }, admin);
    const orgs = async () => {
      const { items } = (await (await org.call('GET', '/api/admin/orgs', undefined, admin)).json()) as {
        items: { id: string; status: string }[];
      };
      return items;
    };
    const approved = (await orgs()).find(({ status }) => status === 'approved')?.id ?? '';
    expect(await command(folder.path, 'erase', 'org', approved, '--yes')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `the org is approved: suspend it first, by cli admin orgs suspend ${approved}\n`,
    });
    const erased = await command(folder.path, 'erase', 'org', id, '--yes');
    expect(erased).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('audit 1') });
    expect((await orgs()).map((each) => each.id)).not.toContain(id);
  },
);
