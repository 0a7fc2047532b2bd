import { generateKeyPairSync } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { keyFiles, newSigner } from '../../../support/signing.ts';
import { startWorld } from '../../../support/world.ts';

const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c71';
const target = ['--robot', id];

test('a key that cannot sign, and flags that do not fit, are refused before anything is sent', async () => {
  await using server = await listen((_request, response) => response.writeHead(500).end());
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const files = await keyFiles(home.path, 'release', newSigner());
  const write = async (name: string, content: string) => {
    await writeFile(join(home.path, name), content);
    return join(home.path, name);
  };
  const type = { type: 'pkcs8', format: 'pem' } as const;
  const encrypted = generateKeyPairSync('ed25519').privateKey.export({
    ...type,
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(type);
  const lines: [string[], string][] = [
    [
      ['--sign', await write('encrypted.pem', encrypted.toString())],
      'is encrypted, and cli does not ask for a passphrase',
    ],
    [['--sign', await write('rsa.pem', rsa.toString())], 'is not an ed25519 private key in PEM'],
    [['--sign', files.public], 'is not an ed25519 private key in PEM'],
    [['--sign', join(home.path, 'none')], 'cannot be read (ENOENT'],
    [
      ['--sign', files.private, '--signature', 'aGFsbG8=', '--key-id', 'k'],
      '--sign and --signature exclude each other',
    ],
    [['--sign-expires-days', '9'], '--sign-expires-days requires --sign'],
    [['--sign-artifact', files.public], '--sign-artifact requires --sign'],
  ];
  for (const [flags, message] of lines) {
    const { code, stderr } = await home.cli(['deploy', id, ...target, ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
  const aimless = await home.cli(['configs', 'set', 'a', '1', '--sign', files.private]);
  expect(aimless).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--sign requires --robot, --fleet or --selector') as string,
  });
  const keyless = await home.cli(['configs', 'set', 'a', '1', ...target, '--key-id', 'k']);
  expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining('--key-id requires --sign') as string });
  expect(server.requests).toEqual([]);
});

test('who loses the answer to a signed order is told to repeat it with that signature, and who leaves the key open is warned', async () => {
  const release = { id, tag: 'a', kind: 'file', artifact_sha256: 'ab'.repeat(32) };
  await using server = await listen((request, response) => {
    if (request.method === 'POST') response.destroy();
    else if (request.url === '/api/whoami') response.end(JSON.stringify({ data: { org: { id: 'o-1' } } }));
    else response.end(JSON.stringify({ items: [release] }));
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { private: path } = await keyFiles(home.path, 'release', newSigner());
  await chmod(path, 0o644);
  const { code, stderr } = await home.cli([
    'deploy',
    id,
    ...target,
    '--sign',
    path,
    '--key-id',
    'mine',
    '--sign-expires-days',
    '1',
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Warning: ${path} is open to other users (0644)`);
  expect(stderr).toContain('the signed hash is the one that the service reports');
  expect(stderr).toMatch(
    /--idempotency-key [0-9a-f-]{36}, and --signature \S+ --key-id mine instead of --sign, is safe/,
  );
  const days = (Date.parse(/valid until (\S+)/.exec(stderr)?.[1] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(1, 2);
});

test('a value that somebody else sets between the signing and the order is told, as no robot will take it', async () => {
  const config = { id, namespace: 'default', key: 'a', value: 1, revision: 3 };
  const deployment = { id, config_id: id, status: 'scheduled', target_kind: 'robot', target_id: id, revision: 4 };
  await using server = await listen((request, response) => {
    const answer =
      request.method === 'POST'
        ? { data: deployment }
        : request.url === '/api/whoami'
          ? { data: { org: { id: 'o-1' } } }
          : { items: [config] };
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const { private: path } = await keyFiles(home.path, 'release', newSigner());
  const { stderr } = await home.cli(['configs', 'deploy', id, ...target, '--sign', path]);
  expect(stderr).toContain('Signed default/a = 1 (');
  expect(stderr).toContain('Warning: revision 3 was signed, and revision 4, set meanwhile, is deployed');
});

test('an earlier revision is signed with its own value', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-007');
  const config = await make.config({ key: 'nav.max_speed', value: 1.2 });
  await world.call('PUT', `/api/configs/${config.id}`, { body: { value: 2.5 } });
  const { private: path } = await keyFiles(home.path, 'release', newSigner());
  const deploy = (...flags: string[]) =>
    home.cli(['configs', 'deploy', 'nav.max_speed', '--robot', 'amr-007', '--sign', path, ...flags]);
  const earlier = await deploy('--revision', '1', '--fields', 'revision');
  expect([earlier.code, earlier.stdout]).toEqual([0, '1\n']);
  expect(earlier.stderr).toContain('Signed default/nav.max_speed = 1.2 (');
  expect((await deploy('--revision', '7')).code).toBe(5);
});

test('a signature is valid from the start of the deployment, which may be a local time', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-007');
  await make.config({ key: 'nav.max_speed', value: 1.2 });
  const { private: path } = await keyFiles(home.path, 'release', newSigner());
  const line = ['configs', 'deploy', 'nav.max_speed', '--robot', 'amr-007', '--sign', path, '--json'];
  for (const start of ['in 2h', 'tomorrow 06:00', '23:59', new Date(Date.now() + 60_000).toISOString(), 'now']) {
    const { stdout, stderr } = await home.cli([...line, '--scheduled-at', start]);
    expect(stderr).not.toContain('Error');
    const { signature, scheduled_at: at } = (JSON.parse(stdout) as { data: Record<string, string> }).data;
    const { sequence } = JSON.parse(Buffer.from(signature ?? '', 'base64').toString()) as { sequence: number };
    if (at === undefined) expect(Math.abs(sequence - Date.now())).toBeLessThan(60_000);
    else expect(sequence, start).toBe(Date.parse(at));
  }
});
