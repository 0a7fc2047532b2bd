import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent, stateOf } from '../../../support/agent-process.ts';
import { signedInHome, startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { sha256 } from '../../../support/orders.ts';
import { entryDigestOf, keyFiles, newSigner, type Statement } from '../../../support/signing.ts';
import { startIsolatedWorld, type World } from '../../../support/world.ts';

const contents = ['v1', 'v2', 'evil'] as const;

async function putArtifacts(home: Home): Promise<void> {
  const folder = join(stateOf(home), 'artifacts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const content of contents) await writeFile(join(folder, sha256(content)), content);
}

const current = (home: Home) => readFile(join(stateOf(home), 'releases', 'file', 'current'), 'utf8');
const config = async (home: Home) =>
  JSON.parse(await readFile(join(stateOf(home), 'config', 'default.json'), 'utf8')) as unknown;

/** A site, its fleet, a key for it, and the three releases. */
async function prepare(world: World) {
  const make = factories(world);
  const key = await make.key();
  const releases: Record<string, string> = {};
  for (const tag of contents) {
    const wish = { tag, kind: 'file', artifact_sha256: sha256(tag), artifact_size: tag.length };
    releases[tag] = (await make.release(wish)).id as string;
  }
  return { make, releases, key: key.value as string, fleetId: key.fleet_id as string };
}

test('a robot that requires signatures takes what is signed for it, its fleet and later, over kill -9, and so does one that joins later', async () => {
  await using world = await startIsolatedWorld();
  await using operator = await signedInHome(world);
  await using first = await startHome();
  await using second = await startHome();
  const { key } = await prepare(world);
  const signer = newSigner();
  const files = await keyFiles(operator.path, 'release', signer);
  const env = { SERVICE_ENROLLMENT_KEY: key, TEST_BASE_URL: world.url };
  await putArtifacts(first);
  await putArtifacts(second);
  const artifact = join(operator.path, 'artifact');
  await writeFile(artifact, 'v1');
  const signed = ['--sign', files.private];
  const fleet = ['--fleet', 'pickers'];

  const args = ['--name', 'amr-1', '--require-signature', files.public];
  const crash = 'if test ! -e "$HOME/once"; then touch "$HOME/once"; kill -9 $PPID; fi';
  const killed = startAgent(first, [...args, '--on-config', crash], env);
  await killed.sees('Connected');
  expect(killed.text()).toContain(`Accepts only orders signed by ${signer.keyId}`);
  const set = operator.cli(['configs', 'set', 'dock', '{"b":[1.50],"a":"ä"}', ...fleet, ...signed, '--watch']);
  expect((await killed.ended).code).toBe(137);
  // The keys are pinned: the flag is not needed.
  await using agent = startAgent(first, [], env);
  expect(await set).toMatchObject({ code: 0 });
  expect(await config(first)).toEqual({ dock: { b: [1.5], a: 'ä' } });

  const deployed = await operator.cli(['deploy', 'v1', ...fleet, ...signed, '--sign-artifact', artifact, '--watch']);
  expect(deployed).toMatchObject({ code: 0 });
  expect(deployed.stderr).toMatch(
    new RegExp(`^Signed v1 of kind file \\(${sha256('v1')}\\) for fleet:\\S+ of org ${world.orgId}, valid until 2`),
  );
  expect(await current(first)).toBe('v1');
  const wrong = await operator.cli(['deploy', 'v2', ...fleet, ...signed, '--sign-artifact', artifact]);
  expect(wrong).toMatchObject({ code: 6, stdout: '' });
  expect(wrong.stderr).toContain(`nothing was signed: ${artifact} is not the artifact of v2`);

  const at = new Date(Date.now() + 1500).toISOString();
  const scheduled = operator.cli(['deploy', 'v2', ...fleet, ...signed, '--scheduled-at', at, '--watch']);
  const others = [
    operator.cli(['configs', 'set', 'speed', '1.0', '--robot', 'amr-1', ...signed, '--watch']),
    operator.cli(['configs', 'set', 'zoom', 'far', ...fleet, ...signed, '--watch']),
    // The newest value, as the service tells it.
    operator.cli(['configs', 'deploy', 'dock', '--robot', 'amr-1', ...signed, '--watch']),
  ];
  const ends = await Promise.all([scheduled, ...others]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(ends[3]?.stderr).toContain('Signed default/dock = {"b":[1.5],"a":"ä"} (');
  expect(await current(first)).toBe('v2');
  expect(await config(first)).toEqual({ speed: 1, dock: { b: [1.5], a: 'ä' }, zoom: 'far' });

  await using late = startAgent(second, ['--name', 'amr-2', '--require-signature', files.public], env);
  await expect.poll(() => current(second).catch(() => '')).toBe('v2');
  await expect.poll(() => config(second).catch(() => '')).toEqual({ dock: { b: [1.5], a: 'ä' }, zoom: 'far' });
  expect(late.text()).not.toContain('Warning');
  expect(agent.text()).not.toContain('Warning');
});

test('whatever the service is told or made to say, a robot that requires signatures runs on as it was, and the deployment says why', async () => {
  await using world = await startIsolatedWorld();
  await using operator = await signedInHome(world);
  await using home = await startHome();
  const { make, releases, key, fleetId } = await prepare(world);
  const [signer, stranger] = [newSigner(), newSigner()];
  const files = await keyFiles(operator.path, 'release', signer);
  await putArtifacts(home);
  await using agent = startAgent(home, ['--name', 'amr-1', '--require-signature', files.public], {
    SERVICE_ENROLLMENT_KEY: key,
    TEST_BASE_URL: world.url,
  });
  await agent.sees('Connected');
  const robotId = (await world.call('GET', '/api/robots')).body.items[0].id as string;
  const target = { target_kind: 'robot', target_id: robotId };

  const statement = (wish: Partial<Statement> = {}) => ({
    org_id: world.orgId,
    scope: `robot:${robotId}`,
    lane: 'release:file',
    digest: sha256('v1'),
    ...wish,
  });
  const deploy = (tag: string, fields: object = {}) =>
    make.deployment({ release_id: releases[tag], ...target, ...fields }) as Promise<{ id: string }>;
  const ended = (path: string, { id }: { id: string }) =>
    expect.poll(async () => (await world.call('GET', `${path}/${id}`)).body.data.status as string);
  const reasonOf = async (path: string, { id }: { id: string }) =>
    (await world.call('GET', `${path}/${id}/targets`)).body.items[0].reason as string;

  const older = signer.sign(statement({ digest: sha256('evil') }));
  await ended('/api/deployments', await deploy('v1', signer.sign(statement()))).toBe('applied');
  const attacks: [string, object][] = [
    ['unsigned', {}],
    ['unknown_key', stranger.sign(statement({ digest: sha256('evil') }))],
    ['bad_signature', signer.sign(statement())],
    ['wrong_scope', signer.sign(statement({ digest: sha256('evil'), scope: `fleet:${randomUUID()}` }))],
    [
      'agent_expired',
      signer.sign(statement({ digest: sha256('evil'), sequence: 1, expires_at: '2026-01-01T00:00:00Z' })),
    ],
    ['replayed', older],
  ];
  for (const [reason, fields] of attacks) {
    const made = await deploy('evil', fields);
    await ended('/api/deployments', made).toBe('failed');
    expect([fields, await reasonOf('/api/deployments', made)]).toEqual([fields, reason]);
    if (reason !== 'replayed') continue;
    const { stdout } = await operator.cli(['deployments', 'show', made.id, '-o', 'table']);
    expect(stdout).toMatch(/replayed .*release evil is older than what this robot accepted/s);
  }
  expect(await current(home)).toBe('v1');

  // Nor is an executable of the robot asked what it can do.
  const handlers = join(home.config, 'handlers');
  await mkdir(handlers, { mode: 0o700 });
  await writeFile(join(handlers, 'map'), `#!/bin/sh\necho $1 >> ${home.path}/calls\n`, { mode: 0o700 });
  const { id: release_id } = await make.release({ kind: 'map', artifact_sha256: sha256('evil'), artifact_size: 4 });
  const map = (await make.deployment({ release_id, ...target })) as { id: string };
  await ended('/api/deployments', map).toBe('failed');
  expect(await reasonOf('/api/deployments', map)).toBe('unsigned');
  await expect(readFile(join(home.path, 'calls'))).rejects.toThrow('ENOENT');

  // Moved by the service, which then has its say of who is in which fleet.
  const other = await make.fleet(undefined, 'other');
  await world.call('PATCH', `/api/robots/${robotId}`, { body: { site_id: other.site_id, fleet_id: other.id } });
  const moved = await deploy(
    'v2',
    signer.sign(statement({ digest: sha256('v2'), scope: `fleet:${other.id as string}` })),
  );
  await ended('/api/deployments', moved).toBe('failed');
  expect(await reasonOf('/api/deployments', moved)).toBe('wrong_scope');

  // In the database: two signatures swapped, and one of a megabyte.
  const entries = await Promise.all(
    ['a', 'b', 'c'].map(async (name, index) => {
      const entry = await make.config({ key: name, value: index });
      const digest = entryDigestOf('default', name, String(index));
      const fields = signer.sign(statement({ lane: 'config', digest, scope: `fleet:${fleetId}` }));
      const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
      return (await make.deployment({ config_id: entry.id, ...target, ...fields, scheduled_at })) as { id: string };
    }),
  );
  const [a, b, c] = entries as [{ id: string }, { id: string }, { id: string }];
  const reasonsNow = async (...due: { id: string }[]) => {
    await world.db.raw('update deployments set due_at = now() where id = any(?::uuid[])', [
      `{${due.map(({ id }) => id).join()}}`,
    ]);
    world.bus.deliver(due.map(({ id }) => ({ topic: 'deployment_due', orgId: world.orgId, deploymentId: id })));
    const path = '/api/configs/deployments';
    for (const each of due) await ended(path, each).toBe('failed');
    return Promise.all(due.map((each) => reasonOf(path, each)));
  };
  await world.db.raw(
    `update deployments one set signature = other.signature from deployments other
      where (one.id, other.id) in ((:a, :b), (:b, :a))`,
    { a: a.id, b: b.id },
  );
  expect(await reasonsNow(a, b)).toEqual(['bad_signature', 'bad_signature']);
  await world.db.raw(`update deployments set signature = repeat('A', 1000000) where id = ?`, [c.id]);
  expect(await reasonsNow(c)).toEqual(['bad_signature']);

  expect(await current(home)).toBe('v1');
  await expect(config(home)).rejects.toThrow('ENOENT');
  const good = await deploy('v2', signer.sign(statement({ digest: sha256('v2') })));
  await ended('/api/deployments', good).toBe('applied');
  expect(await current(home)).toBe('v2');
});
