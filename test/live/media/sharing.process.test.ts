import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { heldBytes, mib, tellsHeldBytes } from '../../support/flood.ts';
import { until } from '../../support/until.ts';
import { echo, look, picture, record, textOf, watchRobot } from '../../support/watch.ts';
import { startServer } from '../../support/server-process.ts';
import { replicaBeside, startIsolatedWorld, startWorld } from '../../support/world.ts';

test('thirty who come at once are one socket of the agent, and who comes later sees at once what came last', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const viewers = await Promise.all(Array.from({ length: 30 }, () => look(world, robot.id)));
  using camera = await robot.come();
  expect(camera.open).toMatchObject({ kind: 'camera', parameters: { camera: 'front', per_second: null } });
  expect(camera.open).not.toHaveProperty('opened_by');
  camera.socket.send(picture('one', 100_000));
  camera.socket.send(picture('two', 800_000));
  for (const viewer of viewers) await expect.poll(() => textOf(viewer.frames.at(-1))).toBe('two');
  expect(viewers.every(({ frames }) => frames.at(-1)?.length === 800_000)).toBe(true);
  using late = await look(world, robot.id);
  await expect.poll(() => late.frames.map(textOf)).toEqual(['two']);
  expect(robot.opens()).toHaveLength(1);

  // Another camera is another stream.
  using other = await look(world, robot.id, '?camera=arm');
  using arm = await robot.come();
  expect(arm.open.parameters).toEqual({ camera: 'arm', per_second: null });
  arm.socket.send(picture('arm'));
  await expect.poll(() => other.frames.map(textOf)).toEqual(['arm']);

  for (const viewer of [...viewers, late]) viewer.socket.close(1000);
  expect(await camera.closed).toMatchObject({ code: 1000 });
  expect(arm.socket.readyState).toBe(1);
  using again = await look(world, robot.id);
  using anew = await robot.come();
  anew.socket.send(picture('three'));
  await expect.poll(() => again.frames.map(textOf)).toEqual(['three']);
});

test('the agent is told the most that anybody wants, whenever that changes, and each gets no more than he wants', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using slow = await look(world, robot.id, '?fps=2');
  using camera = await robot.come();
  expect(camera.open.parameters).toEqual({ camera: 'front', per_second: 2 });
  using faster = await look(world, robot.id, '?fps=5');
  await expect.poll(() => camera.frames).toEqual(['{"type":"rate","per_second":5}']);
  using all = await look(world, robot.id);
  await expect.poll(() => camera.frames.at(-1)).toBe('{"type":"rate","per_second":null}');
  const startedAt = performance.now();
  for (let count = 1; count <= 60; count += 1) {
    camera.socket.send(picture(String(count)));
    await sleep(25);
  }
  await expect.poll(() => all.frames.length).toBe(60);
  const seconds = (performance.now() - startedAt) / 1_000; // 1.5 or somewhat more; the last one is never missed
  await expect.poll(() => textOf(slow.frames.at(-1))).toBe('60');
  await expect.poll(() => textOf(faster.frames.at(-1))).toBe('60');
  expect(slow.frames.length).toBeGreaterThanOrEqual(4);
  expect(slow.frames.length).toBeLessThanOrEqual(Math.ceil(2 * seconds) + 3);
  expect(faster.frames.length).toBeGreaterThanOrEqual(8);
  expect(faster.frames.length).toBeLessThanOrEqual(Math.ceil(5 * seconds) + 3);
  all.socket.close(1000);
  await expect.poll(() => camera.frames.at(-1)).toBe('{"type":"rate","per_second":5}');
  faster.socket.close(1000);
  await expect.poll(() => camera.frames.at(-1)).toBe('{"type":"rate","per_second":2}');
  expect(camera.frames).toHaveLength(4);
});

test('a viewer of a camera that does not read costs two pictures of memory and nobody else a picture', async () => {
  await using world = await startIsolatedWorld();
  // By itself, so that what it holds can be told from what the test does.
  await using server = await startServer({ ...replicaBeside(world), ...tellsHeldBytes });
  const { url } = server;
  using robot = await watchRobot(world, { url });
  using stopped = await look(world, robot.id, '', url);
  using reading = await look(world, robot.id, '', url);
  using camera = await robot.come();
  const before = await heldBytes(url);
  stopped.socket.pause();
  for (let count = 1; count <= 120; count += 1) {
    camera.socket.send(picture(`picture ${count}`, 300_000));
    await expect.poll(() => textOf(reading.frames.at(-1)), { interval: 1 }).toBe(`picture ${count}`);
  }
  expect(reading.frames).toHaveLength(120);
  await expect.poll(async () => (await heldBytes(url)) - before).toBeLessThan(2 * mib);
  stopped.socket.resume();
  await expect.poll(() => textOf(stopped.frames.at(-1))).toBe('picture 120');
  // What the system's buffers took came; the others were passed over.
  expect(stopped.frames.length).toBeLessThan(60);
});

test('the last leaves while the next one comes: he sees pictures, and the agent has one socket at most', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const sockets: { isOpen: () => boolean }[] = [];
  const serving = (async () => {
    for (;;) {
      const camera = await robot.come().catch(() => undefined);
      if (camera === undefined) {
        if (robot.agent.socket.readyState !== 1) return;
        continue; // it was taken back meanwhile
      }
      sockets.push({ isOpen: () => camera.socket.readyState === 1 });
      camera.socket.send(picture('here'));
    }
  })();
  let last = await look(world, robot.id);
  for (let round = 0; round < 60; round += 1) {
    const next = look(world, robot.id);
    if (round % 3 === 0) await sleep(round % 7);
    last.socket.close(1000);
    last = await next;
    if (round % 2 === 0) await expect.poll(() => last.frames.map(textOf)).toEqual(['here']);
  }
  await expect.poll(() => last.frames.map(textOf)).toEqual(['here']);
  await expect.poll(() => sockets.filter(({ isOpen }) => isOpen()).length).toBe(1);
  last.socket.close(1000);
  await expect.poll(() => sockets.filter(({ isOpen }) => isOpen()).length).toBe(0);
  robot.agent.socket.terminate();
  await serving;
});

test('the link of the robot may break: the stream goes on by its own socket', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using viewer = await look(world, robot.id);
  using camera = await robot.come();
  camera.socket.send(picture('before'));
  await expect.poll(() => viewer.frames.map(textOf)).toEqual(['before']);
  robot.agent.socket.terminate();
  await expect.poll(async () => (await world.call('GET', `/api/robots/${robot.id}`)).body.data.online).toBe(false);
  camera.socket.send(picture('after'));
  await expect.poll(() => viewer.frames.map(textOf)).toEqual(['before', 'after']);
});

test('records of a topic come in order; words come to all, and with the last record to who comes later', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using viewer = await echo(world, robot.id);
  using topic = await robot.come();
  expect(topic.open).toMatchObject({ kind: 'topic', parameters: { topic: '/chatter', per_second: null } });
  const said = JSON.stringify({ type: 'status', ts: 'now', level: 'warn', message: 'nobody publishes' });
  topic.socket.send(said);
  topic.socket.send(record(1));
  topic.socket.send(record(2));
  topic.socket.send(said);
  await expect.poll(() => viewer.frames.length).toBe(4);
  expect(viewer.frames.slice(1, 3)).toEqual(
    [record(1), record(2)].map((text) => expect.stringContaining(text.slice(0, 50))),
  );
  using late = await echo(world, robot.id, '?topic=/chatter&hz=1');
  await expect.poll(() => late.frames).toEqual([viewer.frames[2], said]);
  // A word is not held back by the rate, and the newest record wins.
  for (let seq = 3; seq < 20; seq += 1) topic.socket.send(record(seq));
  topic.socket.send(said);
  await expect.poll(() => late.frames.length).toBe(4);
  expect(late.frames[2]).toBe(said);
  expect(late.frames[3]).toContain('"seq":19');
  using elsewhere = await echo(world, robot.id, '?topic=/chatter&source=ros1://other:11311');
  using other = await robot.come();
  expect(other.open.parameters).toEqual({ topic: '/chatter', source: 'ros1://other:11311', per_second: null });
  expect(elsewhere.frames).toEqual([]);
});

test('a viewer of a topic that does not read loses the oldest records and is told how many, in their place', async () => {
  await using world = await startIsolatedWorld();
  await using server = await startServer({ ...replicaBeside(world), ...tellsHeldBytes });
  const { url } = server;
  using robot = await watchRobot(world, { url });
  using stopped = await echo(world, robot.id, undefined, url);
  using reading = await echo(world, robot.id, undefined, url);
  using topic = await robot.come();
  stopped.socket.pause();
  const before = await heldBytes(url);
  const total = 600;
  for (let seq = 1; seq <= total; seq += 1) {
    topic.socket.send(record(seq, 'x'.repeat(50_000)));
    await until(() => reading.frames.length === seq);
  }
  await expect.poll(async () => (await heldBytes(url)) - before).toBeLessThan(2 * mib);
  stopped.socket.resume();
  const seqs = () => stopped.frames.map((frame) => JSON.parse(String(frame)) as { seq?: number; dropped?: number });
  await expect.poll(() => seqs().at(-1)?.seq).toBe(total);
  const gaps = seqs().filter(({ dropped }) => dropped !== undefined);
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toMatchObject({ type: 'gap', level: 'warn', reason: 'slow_consumer' });
  let expected = 1;
  for (const { seq, dropped } of seqs())
    if (seq === undefined) expected += dropped ?? 0;
    else expect(seq).toBe(expected++);
  expect(expected).toBe(total + 1);
});
