import { appendFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../support/artifacts.ts';
import { listen, signedInHome, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld, type World } from '../../../support/world.ts';

const size = 3_000_001;
const bytes = randomBytes(size);
const path = `/api/artifacts/${sha256(bytes)}`;

const stored = async (world: World) => {
  const response = await fetch(`${world.url}${path}`, { headers: { Authorization: `Bearer ${world.orgToken}` } });
  return response.status === 200 && Buffer.from(await response.arrayBuffer()).equals(bytes);
};

/** A way to the service that counts what goes up, and does as it is told once so much of it went through, the first time. */
async function way(world: World, bytesUntil: number, then: (client: Socket) => void) {
  const sockets = new Set<Socket>();
  const way = { url: '', sent: 0, connections: 0 };
  let isDone = false;
  const server = createServer((client) => {
    way.connections += 1;
    const service = connect(world.port, '127.0.0.1');
    service.pipe(client);
    for (const socket of [client, service])
      sockets.add(socket.on('error', () => undefined).on('close', () => void (client.destroy(), service.destroy())));
    client.on('data', (chunk) => {
      way.sent += chunk.length;
      service.write(chunk);
      if (isDone || way.sent < bytesUntil) return;
      isDone = true;
      then(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(way, {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

test('push --upload brings the file, once; the list says that it is there, and --json is the reply as it came', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const file = join(home.path, 'nav-1.tar');
  writeFileSync(file, bytes);
  expect((await home.cli(['releases', 'push', file, '--kind', 'archive'])).code).toBe(0);
  const fields = ['releases', 'list', '--fields', 'tag,artifact_stored'];
  expect((await home.cli(fields)).stdout).toBe('nav-1\tfalse\n');
  const pushed = await home.cli(['releases', 'push', file, '--kind', 'archive', '--upload', '--json']);
  expect(pushed.code).toBe(0);
  expect(pushed.stderr).toContain('Uploaded: robots get the file from the service.\n');
  expect(JSON.parse(pushed.stdout)).toMatchObject({ data: { tag: 'nav-1', artifact_size: size } });
  expect(await stored(world)).toBe(true);
  expect((await home.cli(fields)).stdout).toBe('nav-1\ttrue\n');
  const again = await home.cli(['releases', 'push', file, '--kind', 'archive', '--upload', '--fields', 'tag']);
  expect([again.code, again.stdout]).toEqual([0, 'nav-1\n']);
  expect(again.stderr).toContain('The service has the file already.\n');
  const empty = join(home.path, 'empty.bin');
  writeFileSync(empty, '');
  expect((await home.cli(['releases', 'push', empty, '--upload'])).code).toBe(0);
});

test('an upload whose connection is cut goes on from what is there, and says so once', async () => {
  await using world = await startIsolatedWorld();
  await using cutting = await way(world, 1_500_000, (client) => client.destroy());
  await using home = await startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: cutting.url });
  const file = join(home.path, 'nav-2.tar');
  writeFileSync(file, bytes);
  const { code, stderr } = await home.cli(['releases', 'push', file, '--upload']);
  expect([code, stderr.match(/The upload stopped and will resume: .*\n/g)?.length]).toEqual([0, 1]);
  expect(cutting.sent).toBeLessThan(size + 1_000_000);
  expect(await stored(world)).toBe(true);
});

test('an upload whose client was killed goes on with the next push', async () => {
  await using world = await startIsolatedWorld();
  let isHalf = false;
  await using slow = await way(world, 1_500_000, (client) => (client.pause(), (isHalf = true)));
  await using home = await startHome({ SERVICE_TOKEN: world.orgToken });
  const file = join(home.path, 'nav-3.tar');
  writeFileSync(file, bytes);
  const killed = home.start(['releases', 'push', file, '--upload', '--base-url', slow.url]);
  await expect.poll(() => isHalf).toBe(true);
  killed.kill('SIGKILL');
  await killed.ended;
  await slow[Symbol.asyncDispose]();
  await using rest = await way(world, Infinity, () => undefined);
  await expect
    .poll(async () => Number((await world.call('HEAD', path)).headers.get('upload-offset')))
    .toBeGreaterThan(1_000_000);
  const { code } = await home.cli(['releases', 'push', file, '--upload', '--base-url', rest.url]);
  expect([code, await stored(world)]).toEqual([0, true]);
  expect(rest.sent).toBeLessThan(size - 1_000_000);
});

test('a file that changes between its hash and its upload, or within it, is one clear error, and nothing is stored', async () => {
  await using world = await startIsolatedWorld();
  for (const [name, change] of [
    ['longer', (file: string) => appendFileSync(file, 'x')],
    ['shorter', (file: string) => truncateSync(file, 1_600_000)],
  ] as const) {
    await using home = await startHome({ SERVICE_TOKEN: world.orgToken });
    const file = join(home.path, `${name}.tar`);
    writeFileSync(file, randomBytes(size)); // of the first one a part is there
    // Cut in the middle of the body, which makes the client look again.
    await using changing = await way(world, 1_500_000, (client) => (change(file), client.destroy()));
    const { code, stderr } = await home.cli(['releases', 'push', file, '--upload', '--base-url', changing.url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} changed while it was read\n`)]);
    expect(await world.count('artifacts')).toBe(0);
  }
});

test('who may not push is refused before a byte of the file is sent', async () => {
  await using world = await startIsolatedWorld();
  const token = await factories(world).userToken('viewer');
  await using counting = await way(world, Infinity, () => undefined);
  await using home = await startHome({ SERVICE_TOKEN: token, TEST_BASE_URL: counting.url });
  const file = join(home.path, 'nav-4.tar');
  writeFileSync(file, bytes);
  const { code, stdout, stderr } = await home.cli(['releases', 'push', file, '--upload']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('operator');
  expect(counting.sent).toBeLessThan(10_000);
  const piped = await home.cli(['releases', 'push', '-', '--tag', 'x', '--upload'], { input: 'x' });
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('--upload cannot read from stdin')]);
});

/** A service that creates any release, and responds to the check of its artifact with this status. */
const checking = (status: number) =>
  listen((request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(status).end();
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"data":{"id":"1","tag":"nav-7"}}');
  });

test.each([
  [401, 4, 'Token rejected: the service responded with 401 to HEAD /api/artifacts/'],
  [403, 1, 'the service responded with 403 to HEAD /api/artifacts/'],
  [404, 5, 'the service responded with 404 to HEAD /api/artifacts/'],
])('a check of the artifact that is refused with %i ends the push at once', async (status, exit, message) => {
  await using server = await checking(status);
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const file = join(home.path, 'nav-7.tar');
  writeFileSync(file, 'x');
  const { code, stderr } = await home.cli(['releases', 'push', file, '--upload']);
  expect([code, stderr]).toEqual([exit, expect.stringContaining(`Error: ${message}`)]);
  expect(stderr).not.toContain('will resume');
});

test('an upload keeps the path of the base URL', async () => {
  await using server = await checking(200);
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: `${server.url}/fleet` });
  const file = join(home.path, 'nav-7.tar');
  writeFileSync(file, 'x');
  expect((await home.cli(['releases', 'push', file, '--upload'])).code).toBe(0);
  expect(server.requests).toEqual([
    'POST /fleet/api/releases',
    `HEAD /fleet/api/artifacts/${sha256(Buffer.from('x'))}`,
  ]);
});

test('what the service refuses of an upload is told in its own words, and ends it', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome({ SERVICE_TOKEN: world.orgToken });
  const file = join(home.path, 'nav-5.tar');
  const write = (content: Buffer) => {
    writeFileSync(file, content);
    utimesSync(file, 1_700_000_000, 1_700_000_000); // a change that no date tells
  };
  write(bytes);
  await using changing = await way(world, 1_500_000, (client) => {
    write(Buffer.from(bytes).fill(0, size - 9));
    client.destroy();
  });
  const { code, stderr } = await home.cli(['releases', 'push', file, '--upload', '--base-url', changing.url]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/Error: the SHA-256 of the received bytes is [0-9a-f]{64}\n/),
  ]);
  expect(await world.count('artifacts')).toBe(0);
});

test('an upload beyond the quota of the org ends at once, and the same command uploads the file once there is room', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const file = join(home.path, 'nav-6.tar');
  writeFileSync(file, bytes);
  const setQuota = (most: number) =>
    world.call('PUT', `/api/admin/orgs/${world.orgId}/quotas`, {
      token: world.adminToken,
      body: { artifact_bytes: most },
    });
  const push = () => home.cli(['releases', 'push', file, '--kind', 'archive', '--upload', '--fields', 'tag']);
  await setQuota(1_000);
  const refused = await push();
  expect(refused.code).toBe(6);
  expect(refused.stderr.match(/^Error: .*/gm)).toEqual([
    `Error: the org has 0 of 1000 bytes of artifacts, and this request adds ${size}; ask the operator of the service for a higher quota`,
  ]);
  expect(refused.stderr).toContain('The release has no file. Once there is room, repeat the command');
  expect(refused.stderr).not.toContain('will resume');
  expect(await world.count('artifacts')).toBe(0);
  expect((await world.call('HEAD', path)).headers.get('upload-offset')).toBe('0');
  await setQuota(size);
  expect((await push()).code).toBe(0);
  expect(await stored(world)).toBe(true);
});

testWith('script')('on a terminal the upload is one line that is rewritten and taken away', async () => {
  await using world = await startIsolatedWorld();
  // Nothing is shown of what takes less than half a second, so the network does.
  await using slow = await way(world, 1_500_000, (client) => {
    client.pause();
    setTimeout(() => client.resume(), 800);
  });
  await using home = await startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: slow.url });
  const file = join(home.path, 'nav-6.tar');
  writeFileSync(file, randomBytes(24 * 1024 * 1024));
  const { code, stdout } = await home.cli(['releases', 'push', file, '--upload', '--no-color'], { columns: 100 });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /\r\u001b\[\?7lUploading \S+nav-6\.tar: [\d.]+ MiB of 24\.0 MiB, \d+%, [\d.]+ [KM]iB\/s\u001b\[K/,
  );
  expect(stdout).toContain('\r\u001b[KUploaded: robots get the file from the service.');
});
