import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentFrame } from '../../../generated/frames.js';
import { digestsOfUnchanged, driftWatch } from '../../../cli/agent/releases/drift.ts';
import { startAgent, stateOf } from '../../support/agent-process.ts';
import { isGone } from '../../support/agent-releases.ts';
import { startHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { sha256 } from '../../support/orders.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startWorld } from '../../support/world.ts';

const everyMs = 60;

/** A watch over what a test says runs, and the frames that it sent. */
function watching(kinds: Record<string, string | null | undefined>, folders: readonly string[] = []) {
  const state = {
    isUp: true,
    runs: kinds,
    lanes: Object.keys(kinds).map((kind) => `release:${kind}`),
    rests: new Map<string, string | undefined>(),
    looks: 0,
    slow: new Set<string>(),
    frames: [] as AgentFrame[],
  };
  const watch = driftWatch({
    installed: () => Promise.resolve(folders),
    orders: {
      lanes: () => state.lanes,
      restOf: (lane) => (state.rests.has(lane) ? state.rests.get(lane) : 'order-1'),
    },
    async running(kind) {
      state.looks += 1;
      if (state.slow.has(kind)) await new Promise(() => undefined);
      if (state.runs[kind] === 'broken') throw new Error('broken');
      return state.runs[kind];
    },
    send(frame) {
      if (state.isUp) state.frames.push(frame);
      return state.isUp;
    },
    everyMs,
  });
  return Object.assign(state, {
    watch,
    told: () => state.frames.map((frame) => (frame.type === 'running' ? frame.lanes : undefined)),
    /** Until so many more looks were taken. */
    async looked(more: number): Promise<void> {
      const wanted = state.looks + more;
      await expect.poll(() => state.looks, { interval: 5 }).toBeGreaterThanOrEqual(wanted);
    },
    [Symbol.dispose]: () => watch.stop(),
  });
}

test('what runs is told when a link begins and when it changed, and not again in between', async () => {
  using scene = watching({ file: 'a', config: 'x' });
  scene.lanes = ['release:file', 'config', 'release:../etc'];
  scene.watch.linkUp();
  await expect.poll(scene.told).toEqual([{ 'release:file': 'a' }]);
  await scene.looked(3);
  expect(scene.told()).toHaveLength(1);
  scene.runs['file'] = 'b';
  await expect.poll(scene.told).toEqual([{ 'release:file': 'a' }, { 'release:file': 'b' }]);
  scene.watch.linkUp();
  await expect.poll(scene.told).toHaveLength(3);
  expect(scene.told()[2]).toEqual({ 'release:file': 'b' });
});

test('of a lane at work nothing is told, and after each of its orders what runs is told again', async () => {
  using scene = watching({ file: 'a', archive: 'b' });
  scene.rests.set('release:file', undefined);
  scene.watch.linkUp();
  await expect.poll(scene.told).toEqual([{ 'release:archive': 'b' }]);
  scene.rests.set('release:file', 'order-2');
  await expect.poll(scene.told).toHaveLength(2);
  expect(scene.told()[1]).toEqual({ 'release:archive': 'b', 'release:file': 'a' });
  scene.rests.set('release:file', 'order-3');
  await expect.poll(scene.told).toHaveLength(3);
});

test('what was found before an order that began meanwhile is not told', async () => {
  using scene = watching({ archive: 'a', file: 'f' });
  const began = new Promise<void>((resolve) => {
    const { rests } = scene;
    Object.defineProperty(scene.runs, 'file', {
      get() {
        // The other kind was looked at already.
        rests.set('release:archive', 'order-2');
        resolve();
        return 'f';
      },
    });
  });
  scene.watch.linkUp();
  await began;
  await expect.poll(scene.told).not.toEqual([]);
  expect(scene.told()[0]).toEqual({ 'release:file': 'f' });
});

test('what is the same goes again after ten looks, for the service may have had no time for it', async () => {
  using scene = watching({ file: 'a' });
  scene.watch.linkUp();
  await scene.looked(8);
  expect(scene.told()).toHaveLength(1);
  await expect.poll(scene.told).toHaveLength(2);
});

test('that nothing runs is told once it stays so; what nobody can tell, or what fails, is not told', async () => {
  using scene = watching({ file: null, script: undefined, archive: 'broken', known: 'k' });
  scene.watch.linkUp();
  await expect.poll(scene.told).toEqual([{ 'release:known': 'k' }, { 'release:file': null, 'release:known': 'k' }]);
});

test('a kind whose look hangs holds up no other and is not looked at a second time', async () => {
  using scene = watching({ file: 'a', container_image: 'c' });
  scene.slow.add('container_image');
  scene.watch.linkUp();
  await expect.poll(scene.told).toEqual([{ 'release:file': 'a' }]);
  scene.runs['file'] = 'b';
  await expect.poll(scene.told).toHaveLength(2);
  const looks = scene.looks;
  await scene.looked(3);
  expect(scene.looks).toBe(looks + 3);
});

test('kinds whose orders are forgotten are known by their folders; without a link nothing counts as told', async () => {
  using scene = watching({ file: 'a', '.tmp': 'x' }, ['file', '.tmp']);
  scene.lanes = [];
  scene.isUp = false;
  await scene.looked(2);
  scene.isUp = true;
  await expect.poll(scene.told).toEqual([{ 'release:file': 'a' }]);
});

test('a file is read anew only when it is another one or was changed, its times set back or not', async () => {
  await using dir = await tempDir();
  const path = join(dir.path, 'f');
  const digestOf = digestsOfUnchanged();
  await writeFile(path, 'one');
  await utimes(path, 1, 1);
  expect(await digestOf(path)).toBe(sha256('one'));
  await writeFile(path, 'two');
  await utimes(path, 1, 1);
  expect(await digestOf(path)).toBe(sha256('two'));
  await writeFile(`${path}.new`, 'six');
  await rename(`${path}.new`, path);
  expect(await digestOf(path)).toBe(sha256('six'));
  await rm(path);
  await expect(digestOf(path)).rejects.toThrow('ENOENT');
});

test('an agent tells what runs: what was changed by hand is on the timeline until it is put right', async () => {
  await using world = await startWorld();
  await using home = await startHome();
  const make = factories(world);
  const key = await make.key();
  const env = { SERVICE_ENROLLMENT_KEY: key.value as string, TEST_BASE_URL: world.url };
  const artifacts = join(stateOf(home), 'artifacts');
  await mkdir(artifacts, { recursive: true, mode: 0o700 });
  await writeFile(join(artifacts, sha256('maps')), 'maps');
  const release = await make.release({
    artifact_sha256: sha256('maps'),
    artifact_size: 4,
    kind: 'file',
    tag: 'maps-7',
  });
  const robot = async () => (await world.call('GET', '/api/robots')).body.items[0];
  const drift = async () => (await robot()).reported.releases.file.drift;
  const run = async (meanwhile: () => Promise<void>) => {
    await using agent = startAgent(home, [], env);
    await agent.sees('onnected');
    await meanwhile();
    agent.kill('SIGTERM');
    await agent.ended;
  };
  await run(async () => {
    const { id } = await robot();
    await make.deployment({ release_id: release.id, target_kind: 'robot', target_id: id });
    await expect.poll(async () => (await robot()).reported.releases.file?.tag).toBe('maps-7');
  });
  const folder = join(stateOf(home), 'releases', 'file');
  const [digest = ''] = (await readdir(folder)).filter((name) => name.length === 64);
  await rm(join(folder, 'current'));
  await writeFile(join(folder, 'by-hand'), 'other');
  await symlink('by-hand', join(folder, 'current'));
  await run(async () => {
    await expect.poll(drift).toMatchObject({ running_sha256: sha256('other') });
  });
  await rm(join(folder, 'current'));
  await symlink(join(digest, 'maps-7'), join(folder, 'current'));
  await run(async () => {
    await expect.poll(drift).toBeUndefined();
  });
  const { items } = (await world.call('GET', `/api/robots/${(await robot()).id}/timeline`)).body;
  const kinds = items.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind.startsWith('drift'));
  expect(kinds).toEqual(['drift', 'drift_ended']);
});

test('an agent that ends takes along whom it was asking what runs', async () => {
  await using world = await startWorld();
  await using home = await startHome();
  const { value: key } = (await factories(world).key()) as { value: string };
  const handlers = join(home.config, 'handlers');
  const asked = join(home.path, 'asked');
  await mkdir(handlers, { recursive: true, mode: 0o700 });
  const hangs = `#!/bin/sh\nif test $1 = running; then echo $$ > ${asked}.new; mv ${asked}.new ${asked}; exec sleep 60; fi\n`;
  await writeFile(join(handlers, 'map'), hangs, { mode: 0o700 });
  await mkdir(join(stateOf(home), 'releases', 'map'), { recursive: true });
  await using agent = startAgent(home, [], { SERVICE_ENROLLMENT_KEY: key, TEST_BASE_URL: world.url });
  const pid = async () => Number(await readFile(asked, 'utf8').catch(() => 0));
  await expect.poll(pid).toBeGreaterThan(0);
  agent.kill('SIGTERM');
  await agent.ended;
  expect(await isGone(await pid())).toBe(true);
});
