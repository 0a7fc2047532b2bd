import { expect, test } from 'vitest';
import { clusterGrants } from '../../../src/platform/cluster/grants.ts';
import { dialBack, nextOpen, openStream } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { clusterSecret, startReplicas } from '../../support/replicas.ts';
import { cameraOf, echo, look, picture, record, textOf, watchRobot } from '../../support/watch.ts';
import { startIsolatedWorld } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';

test('viewers at three replicas are one socket of the agent, wherever it dials back to, and the rate is the most of all', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 3);
  const [atLink, second, third] = all;
  using robot = await watchRobot(world, { url: atLink.url });
  const viewers = await Promise.all(
    [second, third, second, third, atLink].flatMap(({ url }) => [
      look(world, robot.id, '?fps=1', url),
      look(world, robot.id, '?fps=2', url),
    ]),
  );
  using camera = await robot.come(third.url);
  camera.socket.send(picture('one', 917_504));
  for (const viewer of viewers) await expect.poll(() => textOf(viewer.frames.at(-1))).toBe('one');
  using all60 = await look(world, robot.id, '?fps=60', third.url);
  await expect.poll(() => camera.frames.at(-1)).toBe('{"type":"rate","per_second":60}');
  await expect.poll(() => all60.frames.map(textOf)).toEqual(['one']);
  all60.socket.close(1000);
  await expect.poll(() => camera.frames.at(-1)).toBe('{"type":"rate","per_second":2}');
  using late = await look(world, robot.id, '', second.url);
  await expect.poll(() => late.frames.map(textOf)).toEqual(['one']);
  expect(robot.opens()).toHaveLength(1);
  for (const viewer of [...viewers, late]) viewer.socket.close(1000);
  expect((await camera.closed).code).toBe(1000);

  using reader = await echo(world, robot.id, undefined, second.url);
  using topic = await robot.come(second.url);
  topic.socket.send(record(1));
  topic.socket.send('{"type":"status","ts":"now","level":"info","message":"here"}');
  await expect.poll(() => reader.frames.length).toBe(2);
  topic.socket.close(1011, 'the master went away');
  expect(await reader.closed).toEqual({ code: 1011, reason: 'the master went away' });
  const list = fetch(`${third.url}/api/robots/${robot.id}/ros/topics`, {
    headers: { Authorization: `Bearer ${world.orgToken}` },
  });
  using topics = await robot.come(second.url);
  topics.socket.send(JSON.stringify({ topics: [], nodes: ['x'.repeat(300_000)] }));
  expect((await list).status).toBe(200);
});

test('one who reads nothing at another replica, one who is cut there: those who look elsewhere see on', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 2);
  const [atLink, other] = all;
  using robot = await watchRobot(world, { url: atLink.url });
  const user = await factories(world).user('viewer');
  const { id, value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  using stopped = await openStream(cameraOf(other.url, robot.id), { token: value, paused: true });
  using beside = await look(world, robot.id, '', other.url);
  using here = await look(world, robot.id, '', atLink.url);
  using camera = await robot.come();
  for (let count = 1; count <= 60; count += 1) {
    camera.socket.send(picture(`picture ${count}`, 400_000));
    await expect.poll(() => textOf(beside.frames.at(-1)), { interval: 1 }).toBe(`picture ${count}`);
  }
  await expect.poll(() => textOf(here.frames.at(-1))).toBe('picture 60');
  const startedAt = performance.now();
  await world.call('POST', `/api/tokens/${id}/revoke`);
  stopped.socket.resume();
  expect((await stopped.closed).code).toBe(4401);
  expect(performance.now() - startedAt).toBeLessThan(promptMs);
  expect(stopped.frames.length).toBeLessThan(40);
  expect(robot.opens()).toHaveLength(1);
});

test('the replica of the link dies or stops: viewers elsewhere are told to come again, and find the robot where it is then', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 3);
  const [first, second, third] = all;
  using robot = await watchRobot(world, { url: first.url });
  using viewer = await look(world, robot.id, '', third.url);
  using camera = await robot.come();
  camera.socket.send(picture('one'));
  await expect.poll(() => viewer.frames.map(textOf)).toEqual(['one']);
  await first.end('SIGKILL');
  expect(await viewer.closed).toEqual({ code: 1012, reason: 'the connection within the service was lost' });
  expect((await camera.closed).code).toBe(1006);

  using back = await watchRobot(world, { url: second.url, identity: robot.identity });
  using again = await look(world, robot.id, '', third.url);
  using anew = await back.come(third.url);
  anew.socket.send(picture('two'));
  await expect.poll(() => again.frames.map(textOf)).toEqual(['two']);
  await second.end('SIGINT');
  expect((await again.closed).code).toBe(1012);
  await anew.closed;
});

test('a replica that does not answer, and a robot that left it meanwhile, are told apart', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 2);
  const [atLink, other] = all;
  using robot = await watchRobot(world, { url: atLink.url });
  atLink.child.kill('SIGSTOP');
  using viewer = await look(world, robot.id, '', other.url);
  expect(await viewer.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('does not respond') });
  atLink.child.kill('SIGCONT');

  using refused = await look(world, robot.id, '', other.url);
  robot.agent.send({ type: 'refused', session_id: (await nextOpen(robot.agent)).session_id, reason: 'busy' });
  expect(await refused.closed).toEqual({ code: 4429, reason: 'the robot has reached its limit of streams' });
});

test('the path by which replicas look takes what is signed, and one wish', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 1);
  const [replica] = all;
  const [to = ''] = await world.db('replicas').where({ url: replica.url }).pluck<string[]>('id');
  using robot = await watchRobot(world, { url: replica.url });
  const path = `/internal/watch/${robot.id}`;
  const grants = clusterGrants('me', [clusterSecret], Date.now);
  const knock = (token: string) => openStream(`${replica.url}${path}`, { token });
  for (const token of [world.orgToken, 'x', grants.sign(to, '/internal/watch/x', {})])
    await expect(knock(token)).rejects.toMatchObject({ status: 401 });
  const wish = { type: 'watch', org_id: world.orgId, kind: 'camera', name: 'front', per_second: null };
  for (const bad of ['{', '{}', JSON.stringify({ ...wish, kind: 'shell' }), '{"type":"rate","per_second":1}']) {
    using asked = await knock(grants.sign(to, path, {}));
    asked.socket.send(bad);
    expect((await asked.closed).code, bad).toBe(1008);
  }
  using asked = await knock(grants.sign(to, path, {}));
  asked.socket.send(JSON.stringify(wish));
  using camera = await dialBack(replica.url, await nextOpen(robot.agent));
  camera.socket.send(picture('one'));
  await expect.poll(() => asked.frames.length).toBe(2);
  expect(asked.frames[0]).toBe('{"type":"opened"}');
  asked.socket.send(JSON.stringify(wish));
  expect((await asked.closed).code).toBe(1008);
  expect((await camera.closed).code).toBe(1000);
});
