import { expect, test } from 'vitest';
import { dialBack, nextOpen, openShell, openStream, shellAgent, shellOf } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { clusterOf, startReplica } from '../../support/replicas.ts';
import { robotsOf } from '../../support/robots.ts';
import { echo, look, picture, record, watchRobot } from '../../support/watch.ts';
import { promptMs } from '../../support/until.ts';
import { startIsolatedWorld } from '../../support/world.ts';

test('shells, cameras and topics of a robot whose replica is stopping start at once, and the shell outlives that replica', async () => {
  await using world = await startIsolatedWorld({ env: clusterOf(0) });
  await using stopping = await startReplica(world);
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(stopping.url, robot.robot_token);
  using camera = await watchRobot(world, { url: stopping.url });
  stopping.child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${stopping.url}/readyz`)).status).toBe(503);
  using shell = await openShell(world.url, agent, robot.robot_id, world.orgToken);
  using viewer = await look(world, camera.id);
  using source = await camera.come(world.url);
  const seen = picture('seen');
  source.socket.send(seen);
  await expect.poll(() => viewer.frames).toEqual([seen]);
  using reader = await echo(world, camera.id);
  using topic = await camera.come(world.url);
  topic.socket.send(record(1));
  await expect.poll(() => reader.frames.length).toBe(1);
  const list = world.call('GET', `/api/robots/${camera.id}/ros/topics`);
  using topics = await camera.come(world.url);
  topics.socket.send('{"topics":[]}');
  expect((await list).status).toBe(200);
  expect(agent.socket.readyState).toBe(1);
  expect((await agent.closed).code).toBe(1012);
  expect((await viewer.closed).code).toBe(1012);
  expect((await reader.closed).code).toBe(1012);
  shell.viewer.socket.send('still here');
  await expect.poll(() => shell.robot.frames).toEqual(['still here']);
});

test('a shell that is opened between two links of a robot waits for the next link; 409 with Retry-After if none comes', async () => {
  await using world = await startIsolatedWorld();
  await using stopping = await startIsolatedWorld({ shares: world });
  const [back, gone] = await robotsOf(world).enrollMany(2);
  if (!back || !gone) throw new Error('two robots were enrolled');
  using before = await shellAgent(stopping.url, back.robot_token);
  using leaving = await shellAgent(stopping.url, gone.robot_token);
  // The agent of one goes by itself, as agents do when they are told that the service drains.
  leaving.socket.on('message', (data: Buffer) => {
    if (data.toString().includes('"drain"')) leaving.socket.close(1000);
  });
  await stopping.stop(0);
  await Promise.all([before.closed, leaving.closed]);
  const open = (id: string) => openStream(shellOf(world.url, id), { token: world.orgToken });
  const refused = expect(open(gone.robot_id)).rejects.toMatchObject({
    status: 409,
    retryAfter: '1',
    message: expect.stringContaining('agent offline'),
  });
  const opening = open(back.robot_id);
  using after = await shellAgent(world.url, back.robot_token);
  using viewer = await opening;
  using robot = await dialBack(world.url, await nextOpen(after));
  robot.socket.send('back');
  await expect.poll(() => viewer.frames).toEqual(['back']);
  await refused;
  // Nor does anybody for a robot that left while the clock of the database was in 2100.
  for (const table of ['timeline', 'timeline_unnumbered'])
    await world.db(table).where({ robot_id: gone.robot_id }).update({ at: '2100-01-01' });
  await expect(open(gone.robot_id)).rejects.toMatchObject({ status: 409, retryAfter: undefined });
  // Nobody waits for a robot that left by itself.
  after.socket.close(1000);
  await after.closed;
  const story = () => robotsOf(world).story(back);
  await expect.poll(async () => (await story()).at(-1)).toBe('disconnected ended');
  await expect(open(back.robot_id)).rejects.toMatchObject({ status: 409, retryAfter: undefined });
});

test('a shell whose token is revoked while it waits for the next link of its robot is closed as soon as it opens', async () => {
  await using world = await startIsolatedWorld();
  await using stopping = await startIsolatedWorld({ shares: world });
  const robot = await robotsOf(world).enroll();
  const user = await factories(world).user('operator');
  const { id, value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  using before = await shellAgent(stopping.url, robot.robot_token);
  await stopping.stop(0);
  await before.closed;
  const opening = openStream(shellOf(world.url, robot.robot_id), { token: value });
  await new Promise((resolve) => setTimeout(resolve, 300)); // its token is checked
  await world.call('POST', `/api/tokens/${id}/revoke`);
  await new Promise((resolve) => setTimeout(resolve, 600)); // the tokens of open streams are checked
  using after = await shellAgent(world.url, robot.robot_token);
  using viewer = await opening;
  const openedMs = performance.now();
  expect(await viewer.closed).toMatchObject({ code: 4401 });
  expect(performance.now() - openedMs).toBeLessThan(promptMs);
  expect(after.socket.readyState).toBe(1);
});

test('a shell whose robot is linked to a replica that is gone waits for the next link', async () => {
  await using world = await startIsolatedWorld({ env: clusterOf(0) });
  await using dead = await startReplica(world);
  const robot = await robotsOf(world).enroll();
  using before = await shellAgent(dead.url, robot.robot_token);
  await dead.end('SIGKILL');
  await before.closed;
  using viewer = await openStream(shellOf(world.url, robot.robot_id), { token: world.orgToken });
  using after = await shellAgent(world.url, robot.robot_token);
  using stream = await dialBack(world.url, await nextOpen(after));
  stream.socket.send('back');
  await expect.poll(() => viewer.frames).toEqual(['back']);
});
