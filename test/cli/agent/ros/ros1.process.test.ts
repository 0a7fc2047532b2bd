import { expect } from 'vitest';
import { ros1Source } from '../../../../cli/agent/ros/ros1.ts';
import type { RosListener, RosSource } from '../../../../cli/agent/ros/source.ts';
import { freePort } from '../../../support/free-port.ts';
import { startRos, testWithRos as test, type Ros } from '../../../support/ros.ts';
import { until } from '../../../support/until.ts';

interface Heard extends RosListener {
  messages: { type: string; message: Record<string, unknown> }[];
  said: string[];
}

const listener = (wants?: () => boolean): Heard => {
  const heard: Heard = {
    messages: [],
    said: [],
    ...(wants && { wants }),
    message: (type, message) => void heard.messages.push({ type, message: message as Record<string, unknown> }),
    status: (level, message) => void heard.said.push(`${level}: ${message}`),
  };
  return heard;
};

const sourceOf = ({ url, port }: Pick<Ros, 'url' | 'port'>, lookEveryMs = 200): RosSource & AsyncDisposable => {
  const source = ros1Source({ url, master: { host: '127.0.0.1', port }, name: '/fleet_agent_test', lookEveryMs });
  return { ...source, [Symbol.asyncDispose]: () => source.close() };
};

test('topics have their types, messages are decoded, and no node of ours stays in the graph', async () => {
  await using ros = await startRos();
  await using source = sourceOf(ros);
  await ros.publish('/chatter', 'std_msgs/String', 'data: hello');
  await ros.publish('/imu', 'sensor_msgs/Imu', '{orientation: {w: 1.0}, angular_velocity: {z: .nan}}', 100);
  expect(await source.listTopics()).toEqual(
    expect.arrayContaining([
      { name: '/chatter', type: 'std_msgs/String' },
      { name: '/imu', type: 'sensor_msgs/Imu' },
    ]),
  );
  const [chatter, imu] = [listener(), listener()];
  source.subscribe('/chatter', chatter);
  source.subscribe('/imu', imu);
  await until(() => chatter.messages.length > 3 && imu.messages.length > 50);
  expect(chatter.messages[0]).toEqual({ type: 'std_msgs/String', message: { data: 'hello' } });
  expect(imu.messages[0]).toMatchObject({
    type: 'sensor_msgs/Imu',
    message: { orientation: { w: 1 }, angular_velocity: { z: Number.NaN } },
  });
  expect(await source.listNodes()).toContain('/fleet_agent_test');
  expect((await ros.graph()).nodes).toContain('/fleet_agent_test');
  await source.close();
  expect((await ros.graph()).nodes).not.toContainEqual(expect.stringContaining('/fleet_agent'));
  expect(chatter.said).toEqual([]);
});

test('what nobody wants is not decoded, and what is too large is skipped and told of', async () => {
  await using ros = await startRos();
  await using source = sourceOf(ros);
  const some = listener(() => some.messages.length < 3);
  await ros.publish('/chatter', 'std_msgs/String', 'data: hello', 100);
  let asked = 0;
  source.subscribe('/chatter', {
    ...some,
    wants() {
      asked += 1;
      return some.messages.length < 3;
    },
  });
  await until(() => asked > 30);
  expect(some.messages).toHaveLength(3);
  const large = listener();
  source.subscribe('/large', large);
  await ros.run(`
import rospy
from std_msgs.msg import String
rospy.init_node('large')
publisher = rospy.Publisher('/large', String, queue_size=1)
rate = rospy.Rate(4)
at = 0
while not rospy.is_shutdown():
    publisher.publish('x' * 20000000 if at % 2 else 'small')
    at += 1
    rate.sleep()
`);
  await until(() => large.messages.length >= 3 && large.said.some((each) => each.includes('20 MB')));
  expect(new Set(large.messages.map(({ message }) => message['data']))).toEqual(new Set(['small']));
});

test('it outlasts a master that restarts, and one that is not there yet', async () => {
  await using ros = await startRos();
  await using source = sourceOf(ros);
  const heard = listener();
  source.subscribe('/chatter', heard);
  await until(() => heard.said.includes('info: /chatter has no publisher yet'));
  const publisher = await ros.publish('/chatter', 'std_msgs/String', 'data: before');
  await until(() => heard.messages.length > 0);
  await publisher.end();
  await ros.stopMaster();
  await until(() => heard.said.some((each) => each.startsWith('warn: ') && each.endsWith('Retrying')));
  const before = heard.said.length;
  await ros.startMaster();
  await ros.publish('/chatter', 'std_msgs/String', 'data: after');
  await until(() => heard.messages.at(-1)?.message['data'] === 'after');
  expect(heard.said.slice(before)).toContainEqual(expect.stringMatching(/responds again|has no publisher/));
  const port = await freePort();
  await using nobody = sourceOf({ url: `ros1://127.0.0.1:${port}`, port });
  await expect(nobody.listTopics()).rejects.toThrow(`no ROS master at 127.0.0.1:${port}`);
});

test('a topic that is listed and has no publisher any more says so, and one that is killed is waited for', async () => {
  await using ros = await startRos();
  await using source = sourceOf(ros);
  const killed = await ros.publish('/stale', 'std_msgs/String', 'data: hello');
  await killed.end('SIGKILL');
  expect((await ros.graph()).published.has('/stale')).toBe(true);
  const heard = listener();
  source.subscribe('/stale', heard);
  await until(() =>
    heard.said.some((each) => each.startsWith('warn: /stale is listed, but no publisher responded within 5 s')),
  );
  await ros.publish('/stale', 'std_msgs/String', 'data: again');
  await until(() => heard.messages.length > 0);
});

test('a type that changes in mid-stream is told, and bytes are bytes', async () => {
  await using ros = await startRos();
  await using source = sourceOf(ros);
  const heard = listener();
  source.subscribe('/any', heard);
  const first = await ros.publish('/any', 'std_msgs/String', 'data: hello');
  await until(() => heard.messages.length > 0);
  await first.end();
  await ros.publish('/any', 'sensor_msgs/CompressedImage', '{format: jpeg, data: [255, 216, 255, 217]}');
  await until(() => heard.messages.at(-1)?.type === 'sensor_msgs/CompressedImage');
  expect(heard.said).toContain('warn: /any changed its type from std_msgs/String to sensor_msgs/CompressedImage');
  expect(heard.messages.at(-1)?.message['data']).toEqual(Uint8Array.of(0xff, 0xd8, 0xff, 0xd9));
});

test('what a killed run of the agent left in the graph goes with its next one, and a node that is killed comes back', async () => {
  await using ros = await startRos();
  const former = sourceOf(ros, 60_000);
  const old = listener();
  former.subscribe('/old', old);
  await until(async () => (await ros.graph()).nodes.includes('/fleet_agent_test'));
  // It has looked at the graph, and would set right what the next run takes back only in a minute.
  await until(() => old.said.includes('info: /old has no publisher yet'));
  // It never leaves: its registration stays, as after a kill.
  await using source = sourceOf(ros);
  await source.listTopics();
  expect((await ros.graph()).subscribed.get('/old') ?? []).not.toContain('/fleet_agent_test');
  await former.close();
  const heard = listener();
  source.subscribe('/chatter', heard);
  await ros.publish('/chatter', 'std_msgs/String', 'data: hello');
  await until(() => heard.messages.length > 0);
  await ros.ask('rosnode', 'kill', '/fleet_agent_test');
  const before = heard.messages.length;
  await until(() => heard.messages.length > before + 5);
});

test('a master that hangs is told of in time, and leaving it takes no more than 2 s', async () => {
  await using ros = await startRos();
  await using source = sourceOf(ros);
  const heard = listener();
  source.subscribe('/chatter', heard);
  await until(() => heard.said.includes('info: /chatter has no publisher yet'));
  await ros.haltMaster();
  await expect(source.listTopics()).rejects.toThrow(/^the ROS master at 127\.0\.0\.1:\d+ did not respond within 5 s$/);
  await until(() => heard.said.some((each) => each.endsWith('did not respond within 5 s. Retrying')));
  const began = performance.now();
  await source.close();
  expect(performance.now() - began).toBeLessThan(4_500); // the master is awaited for 5 s
});
