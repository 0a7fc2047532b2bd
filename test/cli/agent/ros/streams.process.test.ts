import { expect, test as always } from 'vitest';
import { freePort } from '../../../support/free-port.ts';
import { startRos, testWithRos as test } from '../../../support/ros.ts';
import { startTopicDesk } from './topic-harness.ts';
import { until } from '../../../support/until.ts';

test('topics are listed and read at the rate that is asked for, by one subscription for all', async () => {
  await using ros = await startRos();
  await using desk = await startTopicDesk([ros.url]);
  await ros.publish('/imu', 'sensor_msgs/Imu', '{orientation: {w: 1.0}, angular_velocity: {x: .nan, y: .inf}}', 100);
  const { topics, nodes } = await desk.list();
  expect(topics).toContainEqual({ name: '/imu', type: 'sensor_msgs/Imu', source: ros.url });
  expect(nodes?.some((node) => node.startsWith('/rostopic'))).toBe(true);
  const all = await desk.echo('/imu');
  const some = await desk.echo('imu', { per_second: 5 });
  await until(() => all.records().length > 100);
  const [record] = all.records();
  expect(record).toMatchObject({
    topic: '/imu',
    type: 'sensor_msgs/Imu',
    msg: {
      orientation: { w: 1 },
      angular_velocity: { x: 'NaN', y: 'Infinity' },
      orientation_covariance: Array(9).fill(0),
    },
  });
  expect(record).not.toHaveProperty('truncated');
  expect(Date.parse(record?.ts ?? '')).toBeGreaterThan(Date.now() - 60_000);
  const [first, last] = [all.records()[0], all.records().at(-1)].map((each) => Date.parse(each?.ts ?? '') / 1_000);
  expect(some.records().length).toBeLessThan(5 * ((last ?? 0) - (first ?? 0)) + 4);
  // The same number means the same message.
  const seqs = new Map(all.records().map(({ seq, ts }) => [seq, ts]));
  for (const { seq, ts } of some.records()) if (seqs.has(seq)) expect(seqs.get(seq)).toBe(ts);
  expect((await ros.graph()).subscribed.get('/imu')).toEqual([expect.stringContaining('/fleet_agent_')]);
  some.send({ type: 'rate', per_second: null });
  const before = some.records().length;
  await until(() => some.records().length > before + 50);
  some.send({ type: 'rate', per_second: -1 });
  expect(await some.closed).toMatchObject({ code: 1008 });
});

test('who comes back finds the subscription and the newest message, and an agent that stops leaves no node', async () => {
  await using ros = await startRos();
  await using desk = await startTopicDesk([ros.url]);
  // Said once, to whoever listens then: only what the agent kept can bring it again.
  await ros.run(`
import rospy, time
from std_msgs.msg import String
rospy.init_node('map')
publisher = rospy.Publisher('/map', String, queue_size=10)
while publisher.get_num_connections() == 0:
    time.sleep(0.05)
publisher.publish('an old map')
publisher.publish('the map')
rospy.spin()
`);
  const first = await desk.echo('/map');
  await until(() => first.records().length === 2);
  first.leave();
  await first.closed;
  const second = await desk.echo('/map');
  await until(() => second.records().length > 0);
  expect(second.records()).toEqual(first.records().slice(1));
  expect((await ros.graph()).nodes).toContainEqual(expect.stringContaining('/fleet_agent_'));
  await desk.stop();
  expect(await second.closed).toMatchObject({ code: 1012 });
  expect((await ros.graph()).nodes).not.toContainEqual(expect.stringContaining('/fleet_agent_'));
});

test('a flood and a reader that stands still lose messages where it says so', async () => {
  await using ros = await startRos();
  await using desk = await startTopicDesk([ros.url]);
  await ros.run(`
import rospy
from std_msgs.msg import String
rospy.init_node('flood')
publisher = rospy.Publisher('/flood', String, queue_size=100)
rate = rospy.Rate(1500)
while not rospy.is_shutdown():
    publisher.publish('x' * 10000)
    rate.sleep()
`);
  const quick = await desk.echo('/flood');
  const slow = await desk.echo('/flood');
  await until(() => slow.records().length > 0);
  slow.pause();
  const gapOf = (reason: string) =>
    slow
      .words()
      .concat(quick.words())
      .find((word) => word['reason'] === reason);
  await until(() => gapOf('rate_limit') !== undefined && quick.records().length > 1_000);
  expect(gapOf('rate_limit')).toMatchObject({ type: 'gap', level: 'warn', dropped: expect.any(Number) });
  slow.resume();
  await until(() => slow.words().some((word) => word.type === 'gap' && word['reason'] === 'slow_consumer'));
  const seqs = slow.records().map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((one, other) => one - other));
});

always('what cannot be asked for is refused or closed with a sentence', async () => {
  const port = await freePort();
  await using desk = await startTopicDesk([`ros1://127.0.0.1:${port}`]);
  expect(await desk.open('topic', { topic: '/imu', source: 'ros1://other:11311' })).toMatchObject({
    reason: 'not_found',
    message: 'this robot has no ROS graph ros1://other:11311',
  });
  for (const topic of ['', 'a b', '/x?y', 7, undefined])
    expect(await desk.open('topic', { topic })).toMatchObject({
      type: 'refused',
      message: 'the topic name is invalid',
    });
  await expect(desk.list()).rejects.toThrow(`1011 no ROS master at 127.0.0.1:${port}`);
  const waiting = await desk.echo('/imu');
  await until(() => waiting.words().length > 0);
  expect(waiting.words()[0]).toMatchObject({
    type: 'status',
    level: 'warn',
    message: expect.stringMatching(/^no ROS master at .*ECONNREFUSED.*Retrying$/),
  });
});
