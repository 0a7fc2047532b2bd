import { expect, test } from 'vitest';
import { openStream } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { cameraOf, echo, look, picture, textOf, topicOf, watchRobot } from '../../support/watch.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';

async function person(world: World, role: string) {
  const user = await factories(world).user(role, `${role}@example.com`);
  const { id, value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  return { userId: user.id as string, tokenId: id as string, token: value as string };
}

test('a viewer may look; who loses the right is cut promptly, the others see on, and the last one ends the stream', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const viewer = await person(world, 'viewer');
  using mine = await openStream(cameraOf(world.url, robot.id), { token: viewer.token });
  using other = await look(world, robot.id);
  using camera = await robot.come();
  camera.socket.send(picture('one'));
  await expect.poll(() => mine.frames.map(textOf)).toEqual(['one']);
  const startedAt = performance.now();
  await world.call('POST', `/api/tokens/${viewer.tokenId}/revoke`);
  expect((await mine.closed).code).toBe(4401);
  expect(performance.now() - startedAt).toBeLessThan(promptMs);
  camera.socket.send(picture('two'));
  await expect.poll(() => other.frames.map(textOf)).toEqual(['one', 'two']);
  expect(mine.frames).toHaveLength(1);

  await world.call('DELETE', `/api/robots/${robot.id}`);
  expect(await other.closed).toMatchObject({ code: 4404 });
  expect((await camera.closed).code).toBe(1000);
});

test('who does not answer the close, for it reads nothing, is no longer counted among those for whom the stream is', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const viewer = await person(world, 'viewer');
  using stopped = await openStream(cameraOf(world.url, robot.id), { token: viewer.token, paused: true });
  using camera = await robot.come();
  for (let count = 0; count < 20; count += 1) camera.socket.send(picture('large', 900_000));
  const startedAt = performance.now();
  await world.call('DELETE', `/api/users/${viewer.userId}`);
  expect((await camera.closed).code).toBe(1000);
  expect(performance.now() - startedAt).toBeLessThan(4_500); // a socket that does not answer the close is cut after 5 s
  stopped.socket.terminate();
});

test('a moved robot is seen on; its cameras and topics stand with it, and change with its agent', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  using viewer = await look(world, robot.id, '?camera=arm');
  using camera = await robot.come();
  const fleet = await factories(world).fleet();
  const moved = await world.call('PATCH', `/api/robots/${robot.id}`, { body: { fleet_id: fleet.id } });
  expect(moved.body.data).toMatchObject({ cameras: ['front', 'arm'], topics: true });
  camera.socket.send(picture('still'));
  await expect.poll(() => viewer.frames.map(textOf)).toEqual(['still']);
  using again = await watchRobot(world, { identity: robot.identity, cameras: ['back'], topics: false });
  expect(again.id).toBe(robot.id);
  const [listed] = (await world.call('GET', '/api/robots')).body.items;
  expect(listed).toMatchObject({ cameras: ['back'], topics: false });
  const fresh = await factories(world).robot('never-linked');
  const { data } = (await world.call('GET', `/api/robots/${fresh.robot_id}`)).body;
  expect(data).not.toHaveProperty('cameras');
  expect(data).not.toHaveProperty('topics');
});

test('tickets open cameras and topics, each its own kind, once', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const viewer = await person(world, 'viewer');
  const ticket = async (kind: string) =>
    (await world.call('POST', '/api/stream-tickets', { token: viewer.token, body: { robot_id: robot.id, kind } })).body
      .data.ticket as string;
  const forCamera = await ticket('camera');
  await expect(openStream(`${topicOf(world.url, robot.id)}&token=${forCamera}`)).rejects.toMatchObject({ status: 401 });
  const first = await ticket('camera');
  using seen = await openStream(`${cameraOf(world.url, robot.id)}?camera=front&token=${first}`);
  await expect(openStream(cameraOf(world.url, robot.id, `?token=${first}`))).rejects.toMatchObject({ status: 401 });
  using heard = await openStream(`${topicOf(world.url, robot.id)}&token=${await ticket('topic')}`);
  expect([seen.socket.readyState, heard.socket.readyState]).toEqual([1, 1]);
});

test('who looked at what, from when to when, stands in the audit log; open ones are counted by kind', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { perRobot: 2 } });
  using robot = await watchRobot(world);
  using viewer = await look(world, robot.id);
  using camera = await robot.come();
  using reader = await echo(world, robot.id);
  using topic = await robot.come();
  const metrics = async () => (await fetch(`${world.url}/metrics`)).text();
  expect(await metrics()).toContain('fleet_viewers{kind="camera"} 1');
  expect(await metrics()).toContain('fleet_viewers{kind="topic"} 1');
  await expect(look(world, robot.id)).rejects.toMatchObject({ status: 429, retryAfter: '10' });
  camera.socket.send(picture('one'));
  await expect.poll(() => viewer.frames.length).toBe(1);
  viewer.socket.close(1000);
  topic.socket.close(1011, 'gone');
  await reader.closed;
  const told = async (operation: string) =>
    (await world.call('GET', `/api/audit?operation=${operation}`)).body.items.map(
      (item: { after: object }) => item.after,
    );
  await expect.poll(() => told('openCamera')).toMatchObject([{ camera: 'front' }]);
  await expect.poll(() => told('closeCamera')).toMatchObject([{ camera: 'front', items: 1, code: 1000 }]);
  await expect.poll(() => told('openTopic')).toMatchObject([{ topic: '/chatter' }]);
  await expect.poll(() => told('closeTopic')).toMatchObject([{ topic: '/chatter', code: 1011 }]);
});
