import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startTlsFront, tlsHost } from '../../../support/tls-front.ts';
import { testWith } from '../../../support/tools.ts';
import { startWorld } from '../../../support/world.ts';

const bytes = randomBytes(3_000_001);
const sha256 = createHash('sha256').update(bytes).digest('hex');

/** A service that takes every release. */
async function releaseTaker() {
  const bodies: Record<string, unknown>[] = [];
  const server = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      bodies.push(JSON.parse(text) as Record<string, unknown>);
      response.writeHead(201).end(JSON.stringify({ data: { id: 'r-1', ...bodies.at(-1), created_at: '' } }));
    });
  });
  return Object.assign(server, { bodies });
}

test('a file becomes a release by its hash and size, once; another file of the same tag is refused', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const path = join(home.path, 'nav-1.8.2.tar');
  writeFileSync(path, bytes);
  const first = await home.cli(['releases', 'push', path, '--notes', 'Slower turns', '--json']);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const { data } = JSON.parse(first.stdout) as { data: Record<string, unknown> };
  expect(data).toMatchObject({
    tag: 'nav-1.8.2',
    kind: 'container_image',
    artifact_sha256: sha256,
    artifact_size: bytes.length,
    notes: 'Slower turns',
  });
  const again = await home.cli(['releases', 'push', path, '--fields', 'id']);
  expect(again).toEqual({
    code: 0,
    stdout: `${data['id'] as string}\n`,
    stderr: 'It was there already, with this artifact: nothing was changed.\n',
  });
  const other = await home.cli(['releases', 'push', '-', '--tag', 'nav-1.8.2'], { input: 'something else' });
  expect(other.code).toBe(6);
  expect(other.stderr).toContain('The tag belongs to another artifact. Use a new tag: --tag <tag>');
  const signed = ['--tag', 'maps-7', '--kind', 'file', '--signature', 'aGFsbG8=', '--key-id', 'release-2026'];
  expect((await home.cli(['releases', 'push', path, ...signed])).code).toBe(0);
  const listed = await home.cli(['releases', 'list', '--fields', 'tag,kind,artifact_size,key_id']);
  expect(listed.stdout).toBe(
    `nav-1.8.2\tcontainer_image\t${bytes.length}\t\nmaps-7\tfile\t${bytes.length}\trelease-2026\n`,
  );
  expect((await home.cli(['releases', 'list', '--kind', 'file', '-o', 'name'])).stdout).toBe('maps-7\n');
});

testWith('openssl')('a file is uploaded whole through a proxy, however late its tunnel is', async () => {
  await using world = await startWorld();
  await using home = await startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: `https://${tlsHost}` });
  await using tls = await startTlsFront(home.path, Number(new URL(world.url).port));
  await using proxy = await listen((_, response) => response.end(), tls.port);
  const path = join(home.path, 'nav-1.8.2.tar');
  writeFileSync(path, bytes);
  const line = ['releases', 'push', path, '--upload', '--ca-file', tls.cert, '--fields', 'artifact_sha256'];
  const pushed = await home.cli(line, { env: { HTTPS_PROXY: proxy.url } });
  const stderr = 'Uploaded: robots get the file from the service.\n';
  expect(pushed).toEqual({ code: 0, stdout: `${sha256}\n`, stderr });
});

test('the list in a pipe says last whether the file is there: the places of the columns before are counted by scripts', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const path = join(home.path, 'nav-1.8.2.tar');
  writeFileSync(path, bytes);
  const { stdout } = await home.cli(['releases', 'push', path, '--notes', 'Slower turns', '--json']);
  const { data } = JSON.parse(stdout) as { data: Record<string, string> };
  const columns = [
    data['id'],
    'nav-1.8.2',
    'container_image',
    bytes.length,
    sha256,
    'Slower turns',
    data['created_at'],
  ];
  expect((await home.cli(['releases', 'list'])).stdout).toBe(`${[...columns, false].join('\t')}\n`);
});

test('what is no plain file is refused with a sentence, before anything is sent', async () => {
  await using server = await releaseTaker();
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const [folder, fifo] = [join(home.path, 'folder'), join(home.path, 'pipe')];
  const odd = join(home.path, "it's new");
  for (const path of [folder, odd]) mkdirSync(path);
  execFileSync('mkfifo', [fifo]);
  const cases: [path: string, exit: number, text: string][] = [
    [
      folder,
      1,
      `${folder} is a folder\n  A release is one file. Pack the folder first: tar -cf folder.tar -C ${home.path} folder && cli releases push folder.tar\n`,
    ],
    [odd, 1, `tar -cf 'it'\\''s new.tar' -C ${home.path} 'it'\\''s new' && cli releases push 'it'\\''s new.tar'\n`],
    [fifo, 1, `${fifo} is a pipe\n`],
    ['/dev/null', 1, '/dev/null is not a regular file\n'],
    [join(home.path, 'none'), 1, 'cannot read'],
    ['-', 2, 'a release from stdin requires a tag'],
  ];
  for (const [path, exit, text] of cases) {
    const { code, stdout, stderr } = await home.cli(['releases', 'push', path]);
    expect(stderr, path).toContain(text);
    expect({ code, stdout }, path).toEqual({ code: exit, stdout: '' });
  }
  const half = await home.cli(['releases', 'push', folder, '--signature', 'aGFsbG8=']);
  expect(half).toMatchObject({
    code: 2,
    stderr: 'Error: --signature and --key-id require each other\n  Use both or neither\n',
  });
  expect(server.requests).toEqual([]);
});

test('a file that is written while it is read makes no release', async () => {
  await using server = await releaseTaker();
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const path = join(home.path, 'growing.log');
  writeFileSync(path, '');
  truncateSync(path, 200 * 1024 * 1024);
  const writing = setInterval(() => appendFileSync(path, 'x'), 5);
  const result = await home.cli(['releases', 'push', path]);
  clearInterval(writing);
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toContain(`${path} changed while it was read`);
  expect(server.requests).toEqual([]);
});

// Two seconds on a machine that does nothing else.
test('the size of a file beyond 2^31 bytes is exact', { timeout: 90_000 }, async () => {
  await using server = await releaseTaker();
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const path = join(home.path, 'large.img');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 31 + 7);
  expect((await home.cli(['releases', 'push', path])).code).toBe(0);
  expect(server.bodies).toMatchObject([{ artifact_size: 2_147_483_655, tag: 'large' }]);
});

testWith('script')('on a terminal the progress is one line that is rewritten and taken away', async () => {
  await using server = await releaseTaker();
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const path = join(home.path, 'large.img');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 30);
  const { stdout } = await home.cli(['releases', 'push', path, '--no-color'], { columns: 100 });
  expect(stdout).toMatch(
    /\r\u001b\[\?7lReading \S+large\.img: [\d.]+ [MG]iB of 1\.0 GiB, \d+%, [\d.]+ [MG]iB\/s\u001b\[K/,
  );
  expect(stdout).toContain('\r\u001b[KID');
  const dumb = await home.cli(['releases', 'push', path], { columns: 100, env: { TERM: 'dumb' } });
  expect(dumb.stdout).not.toContain('\u001b');
});

test('an archived release is hidden from the list, not deployed, and restored by its tag', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  await make.robot('amr-007', await make.key());
  const { id, artifact_sha256: digest } = await make.release({ tag: 'nav-1', artifact_size: 0 });
  expect(digest).toEqual(expect.any(String));
  await make.release({ tag: 'nav-2' });
  const tags = async (...flags: string[]) =>
    (await home.cli(['releases', 'list', '--fields', 'tag', ...flags])).stdout.trim().split('\n');
  expect(await home.cli(['releases', 'archive', 'nav-1', '--fields', 'id'])).toMatchObject({
    code: 0,
    stdout: `${id}\n`,
  });
  expect([await tags(), await tags('--archived')]).toEqual([['nav-2'], ['nav-1']]);
  const refused = await home.cli(['deploy', 'nav-1', '--fleet', 'pickers']);
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain('the release "nav-1" is archived');
  expect(refused.stderr).toContain('Make it available again with: cli releases unarchive nav-1');
  expect((await home.cli(['deploy', 'nav-9', '--fleet', 'pickers'])).stderr).not.toContain('nav-1');
  expect((await home.cli(['releases', 'unarchive', 'nav-1'])).code).toBe(0);
  expect(await tags()).toEqual(['nav-1', 'nav-2']);
  expect((await home.cli(['deploy', 'nav-1', '--fleet', 'pickers'])).code).toBe(0);
});
