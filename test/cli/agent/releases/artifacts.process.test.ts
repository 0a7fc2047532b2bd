import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fetchPayload } from '../../../../cli/agent/orders/payload.ts';
import { fetchArtifact } from '../../../../cli/agent/releases/fetch.ts';
import { factories } from '../../../support/factories.ts';
import { listen } from '../../../support/cli.ts';
import { releaseRobot, stop } from '../../../support/release-robot.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { startIsolatedWorld } from '../../../support/world.ts';
import { bytes, fetching, firstOf, give, release, sha256 } from './fetching.ts';

test('an artifact is downloaded from the service with the token of the robot, proven, and on disk', async () => {
  await using world = await startIsolatedWorld();
  await using dir = await tempDir();
  const make = factories(world);
  await make.release({ artifact_sha256: sha256, artifact_size: bytes.length });
  const headers = { 'Content-Type': 'application/octet-stream' };
  expect((await world.call('PUT', `/api/artifacts/${sha256}`, { body: bytes, headers })).status).toBe(200);
  const { robot_token: token } = (await make.robot('amr-1')) as unknown as { robot_token: string };
  const path = join(dir.path, 'new', 'artifact.part');
  const source = { backendUrl: world.url, token, socketOptions: {} };
  await fetchArtifact(path, release, source, {
    interrupted: new AbortController().signal,
    progress: () => undefined,
  });
  expect((await readFile(path)).equals(bytes)).toBe(true);
  const { mode } = await stat(path);
  expect(mode & 0o077).toBe(0);
});

test('a download that is cut goes on where it stopped, and so does one after a crash of the agent', async () => {
  const asked: [range: string | undefined, condition: unknown][] = [];
  await using robot = await fetching((request, response, call) => {
    asked.push([request.headers.range, request.headers['if-range']]);
    give(request, response, call === 0 ? 400_000 : undefined);
  });
  await writeFile(robot.path, bytes.subarray(0, 100_000));
  await robot.fetch();
  expect((await readFile(robot.path)).equals(bytes)).toBe(true);
  expect(asked[0]).toEqual(['bytes=100000-', `"${sha256}"`]);
  expect(firstOf(asked[1]?.[0])).toBeGreaterThan(100_000);
  expect(asked).toHaveLength(2);
});

test('a server that forgets the range, or lies about it, costs the beginning and not the file', async () => {
  await using forgets = await fetching((_request, response) => void response.end(bytes));
  await writeFile(forgets.path, bytes.subarray(0, 100_000));
  await forgets.fetch();
  expect((await readFile(forgets.path)).equals(bytes)).toBe(true);
  await using lies = await fetching((request, response, call) => {
    if (call > 0) return give(request, response);
    response.writeHead(206, { 'Content-Range': `bytes 5-${bytes.length - 1}/${bytes.length}` }).end(bytes.subarray(5));
  });
  await writeFile(lies.path, bytes.subarray(0, 100_000));
  await lies.fetch();
  expect((await readFile(lies.path)).equals(bytes)).toBe(true);
  await using refuses = await fetching((request, response, call) =>
    call === 0 ? void response.writeHead(416).end() : give(request, response),
  );
  await writeFile(refuses.path, bytes.subarray(0, 100_000));
  await refuses.fetch();
  expect((await readFile(refuses.path)).equals(bytes)).toBe(true);
});

test('a download that waits for others (429) reports progress, which renews the deadline, and does not fail as stalled', async () => {
  const now = performance.now.bind(performance);
  let laterMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  await using robot = await fetching((request, response, call) => {
    if (call > 0) return give(request, response);
    laterMs = 30 * 60_000;
    response.writeHead(429, { 'Retry-After': '1' }).end('{}');
  });
  await robot.fetch().finally(() => clock.mockRestore());
  expect((await readFile(robot.path)).equals(bytes)).toBe(true);
  expect(robot.calls()).toBe(2);
  expect(robot.progress[0]).toBe('waiting for other downloads');
});

test('an artifact of no bytes is one as well', async () => {
  await using robot = await fetching((_request, response) => void response.end());
  await robot.fetch({ sha256: createHash('sha256').digest('hex'), size: 0 });
  expect((await stat(robot.path)).size).toBe(0);
  await using other = await fetching((_request, response) => void response.end());
  await expect(other.fetch({ size: 0 })).rejects.toMatchObject({ reason: 'digest_mismatch' });
});

test('what is not the artifact is refused with a reason, and not kept', async () => {
  await using other = await fetching((_request, response) => void response.end(Buffer.from(bytes).fill(0, 0, 9)));
  await expect(other.fetch()).rejects.toMatchObject({ reason: 'digest_mismatch' });
  await expect(stat(other.path)).rejects.toThrow('ENOENT');
  await using endless = await fetching((_request, response) => {
    const more = () => {
      if (!response.destroyed) response.write(bytes, more);
    };
    more();
  });
  await expect(endless.fetch()).rejects.toMatchObject({
    reason: 'digest_mismatch',
    message: 'more than the 600000 bytes of the artifact were sent',
  });
  await expect(stat(endless.path)).rejects.toThrow('ENOENT');
});

test('an artifact that a replica of the service does not see yet is asked for again', async () => {
  await using robot = await fetching((request, response, call) =>
    call === 0 ? void response.writeHead(404).end('{}') : give(request, response),
  );
  await robot.fetch();
  expect((await readFile(robot.path)).equals(bytes)).toBe(true);
  expect(robot.calls()).toBe(2);
});

test('what waiting does not change ends the order at once: no right to the file, no room', async () => {
  for (const [status, reason] of [
    [401, 'download_failed'],
    [400, 'download_failed'],
  ] as const) {
    await using robot = await fetching((_request, response) => void response.writeHead(status).end('{}'));
    await expect(robot.fetch()).rejects.toMatchObject({ reason });
    expect(robot.calls()).toBe(1);
  }
  await using robot = await fetching(() => undefined);
  // What came before goes too: others on the robot need that room.
  await writeFile(robot.path, bytes);
  await expect(robot.fetch({ size: 2 ** 52 })).rejects.toMatchObject({ reason: 'no_space' });
  expect(robot.calls()).toBe(0);
  await expect(stat(robot.path)).rejects.toThrow('ENOENT');
});

test('an artifact without a byte is one too', async () => {
  await using robot = await fetching((_request, response) => void response.writeHead(200).end());
  await robot.fetch({ size: 0, sha256: createHash('sha256').digest('hex') });
  expect((await stat(robot.path)).size).toBe(0);
});

test('what cannot be taken from the folder of artifacts, or is given up meanwhile, leaves nothing', async () => {
  await using dir = await tempDir();
  const robot = releaseRobot(dir.path);
  const wrong = await robot.order('file', bytes);
  await writeFile(robot.path('artifacts', sha256), Buffer.alloc(bytes.length));
  expect(await wrong.carry()).toMatchObject({ status: 'failed', reason: 'digest_mismatch' });
  expect(await readdir(robot.path('releases', 'file'))).toEqual([]);
  const stopped = await robot.order('file', bytes);
  const carried = stopped.carry();
  stop(robot);
  expect(await carried).toBeUndefined();
  const left = await readdir(robot.path('releases', 'file'), { recursive: true }).catch(() => []);
  expect(left.filter((path) => path.endsWith('.tmp'))).toEqual([]);
  expect(await stopped.again().carry()).toMatchObject({ status: 'applied' });
});

test('a payload that is awaited is given up at once when the agent ends', async () => {
  let asked = 0;
  await using service = await listen(() => void (asked += 1));
  const stopping = new AbortController();
  const source = { backendUrl: service.url, token: 't', socketOptions: {} };
  const fetched = fetchPayload(sha256, source, stopping.signal);
  await expect.poll(() => asked).toBe(1);
  const beganMs = performance.now();
  stopping.abort(new Error('the agent ends'));
  await expect(fetched).rejects.toThrow('the agent ends');
  expect(performance.now() - beganMs).toBeLessThan(5_000); // the first byte is awaited for 10 s
});

test('a service that is too busy is asked again, not before it said; an agent that ends stops at once', async () => {
  const at: number[] = [];
  await using busy = await fetching((request, response, call) => {
    at.push(performance.now());
    if (call === 0) response.writeHead(429, { 'Retry-After': '2' }).end();
    else give(request, response);
  });
  await busy.fetch();
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(1_950);
  await using slow = await fetching((_request, response) => void response.writeHead(200).write(bytes.subarray(0, 9)));
  const fetched = slow.fetch();
  const stopped = Object.assign(new Error('the agent ends'), { name: 'Stopped' });
  await expect.poll(slow.calls).toBe(1);
  slow.stopping.abort(stopped);
  await expect(Promise.race([fetched, once(AbortSignal.timeout(5_000), 'abort')])).rejects.toThrow(stopped);
});

test('while the org is suspended an order waits for its payload and its artifact, and goes on where it stopped', async () => {
  const suspended = { 'Retry-After': '1' };
  await using robot = await fetching((request, response, call) => {
    if (call === 0) give(request, response, 100_000);
    else if (call === 1) response.writeHead(401, suspended).end('{}');
    else give(request, response);
  });
  await robot.fetch();
  expect(robot.calls()).toBe(3);
  expect(await readFile(robot.path)).toEqual(bytes);
  let asked = 0;
  await using service = await listen((_request, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(401, suspended).end('{}');
    else response.writeHead(200).end(JSON.stringify({ data: { payload: 'all of it' } }));
  });
  const source = { backendUrl: service.url, token: 't', socketOptions: {} };
  expect(await fetchPayload(sha256, source, new AbortController().signal)).toBe('all of it');
});
