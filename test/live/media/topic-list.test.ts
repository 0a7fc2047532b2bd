import { expect, test } from 'vitest';
import { nextOpen } from '../../support/dial-back.ts';
import { watchRobot } from '../../support/watch.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';

const ask = (world: World, id: string) => world.call('GET', `/api/robots/${id}/ros/topics`);
const imu = { name: '/imu', type: 'sensor_msgs/Imu', source: 'ros1://127.0.0.1:11311' };

test('the topics of a robot are asked for once for all who ask meanwhile, and come in order', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const answers = Promise.all(Array.from({ length: 10 }, () => ask(world, robot.id)));
  using list = await robot.come();
  expect(list.open).toMatchObject({ kind: 'topics', parameters: {} });
  // Who asks after them takes the same steps to the robot: when these are answered, and nobody asks the database any more, the ten wait for the list.
  for (let later = 0; later < 5; later += 1) expect((await ask(world, 'x')).status).toBe(404);
  const { pool } = world.db.client as { pool: { numUsed(): number; numPendingAcquires(): number } };
  await expect.poll(() => pool.numUsed() + pool.numPendingAcquires()).toBe(0);
  const sent = { topics: [imu, { ...imu, name: '/a' }, { name: 7 }], nodes: ['/z', '/a', 7], truncated: true };
  list.socket.send(JSON.stringify(sent));
  for (const { status, body } of await answers) {
    expect(status).toBe(200);
    expect(body).toEqual({ items: [{ ...imu, name: '/a' }, imu], nodes: ['/a', '/z'], truncated: true });
  }
  expect((await list.closed).code).toBe(1000);
  expect(robot.opens()).toHaveLength(1);

  const again = ask(world, robot.id);
  using empty = await robot.come();
  empty.socket.send('{"topics":[]}');
  expect((await again).body).toEqual({ items: [], nodes: [], truncated: false });

  const many = ask(world, robot.id);
  using long = await robot.come();
  const topics = Array.from({ length: 8_000 }, (_, index) => ({ ...imu, name: `/topic/of/some/length/${index}` }));
  long.socket.send(JSON.stringify({ topics }));
  expect((await many).body.items).toHaveLength(8_000);
});

test('a robot without ROS or link is told apart from an agent that does not answer', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { openWithinMs: 3_000 } });
  using bare = await watchRobot(world, { topics: false });
  expect(await ask(world, bare.id)).toMatchObject({
    status: 409,
    body: { error: { message: 'the robot offers no ROS topics' } },
  });
  bare.agent.socket.close(1000);
  await expect.poll(async () => (await ask(world, bare.id)).body.error.message).toBe('agent offline');
  expect((await ask(world, 'x')).status).toBe(404);

  using robot = await watchRobot(world);
  const silent = await ask(world, robot.id);
  expect(silent).toMatchObject({ status: 503, body: { error: { message: expect.stringContaining('in time') } } });
  expect(silent.headers.get('retry-after')).toBe('1');
  await nextOpen(robot.agent);

  const failed = ask(world, robot.id);
  using failing = await robot.come();
  failing.socket.close(1011, 'the master does not answer');
  expect(await failed).toMatchObject({ status: 503, body: { error: { message: 'the master does not answer' } } });
  const refused = ask(world, robot.id);
  const { session_id: id } = await nextOpen(robot.agent);
  robot.agent.send({ type: 'refused', session_id: id, reason: 'forbidden', message: 'not now' });
  expect(await refused).toMatchObject({ status: 409, body: { error: { message: 'not now' } } });
});

test('an invalid list of topics is a 409 and one line in the log, without a stack', async () => {
  await using world = await startWorld();
  using robot = await watchRobot(world);
  const invalid = ['{', '[]', 'null', '{"topics":7}', `{"topics":${'['.repeat(100_000)}`, Buffer.from('{"topics":[]}')];
  for (const answer of invalid) {
    const from = world.lines.length;
    const asked = ask(world, robot.id);
    using list = await robot.come();
    list.socket.send(answer);
    const sent = String(answer).slice(0, 40);
    expect(await asked, sent).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: 'the agent sent an invalid list of topics' } },
    });
    const lines = world.lines
      .slice(from)
      .filter((line) => line.includes('list of topics') && !line.includes('"level":20'));
    expect(lines, sent).toHaveLength(1);
    expect(lines[0]).toContain('an agent sent an invalid list of topics');
    expect(lines[0]).not.toContain('stack');
  }
});
