import { expect, test as always } from 'vitest';
import { fieldsOf, pick } from '../../../../cli/live/topics/fields.ts';
import { messageLines } from '../../../../cli/live/topics/text.ts';
import { startAgent, type RunningAgent } from '../../../support/agent-process.ts';
import { startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startRos, testWithRos as test, type Ros } from '../../../support/ros.ts';
import { until } from '../../../support/until.ts';
import { watchRobot } from '../../../support/watch.ts';
import { startIsolatedWorld, type World } from '../../../support/world.ts';

/** A robot of the world with these flags, once it is connected, and who looks at it. */
async function scene(world: World, ...flags: string[]): Promise<Scene> {
  const { value: key } = (await factories(world).key()) as { value: string };
  const home = await startHome();
  const person = await startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: world.url });
  const args = ['--backend-url', world.url, '--enrollment-key', key, '--name', 'amr-007', ...flags];
  const agent = startAgent(home, args, { ROS_IP: '127.0.0.1' });
  await agent.sees('Connected to');
  return {
    agent,
    person,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      await person[Symbol.asyncDispose]();
    },
  };
}

const publishImu = (ros: Ros) =>
  ros.publish('/imu', 'sensor_msgs/Imu', '{header: {frame_id: "\\u001b[31mbase"}, orientation: {w: 1.0}}', 50);

interface Scene extends AsyncDisposable {
  agent: RunningAgent;
  person: Home;
}

test('topics are listed, and read in each form', async () => {
  await using world = await startIsolatedWorld();
  await using ros = await startRos();
  await publishImu(ros);
  await using robot = await scene(world, '--ros', ros.url);
  const topics = (...args: string[]) => robot.person.cli(['robots', 'topics', 'amr-007', ...args]);
  const listed = await topics('list');
  expect(listed.stdout).toContain(`/imu\tsensor_msgs/Imu\t${ros.url}\n`);
  expect(JSON.parse((await topics('list', '--json')).stdout)).toMatchObject({
    nodes: expect.arrayContaining([expect.stringMatching(/^\/rostopic/)]),
    truncated: false,
  });
  const once = await topics('echo', '/imu', '--once');
  expect(once).toMatchObject({ code: 0, stderr: '' });
  const record = JSON.parse(once.stdout) as Record<string, unknown>;
  expect(record).toMatchObject({ topic: '/imu', type: 'sensor_msgs/Imu', msg: { orientation: { w: 1 } } });
  const picked = await topics('echo', '/imu', '--once', '--fields', 'orientation.w,orientation_covariance[8],nope');
  expect(picked.stdout).toBe('{"orientation.w":1,"orientation_covariance[8]":0,"nope":null}\n');
  const yaml = await topics('echo', 'imu', '--once', '-o', 'yaml');
  expect(yaml.stdout).toContain('orientation:\n  x: 0\n');
  expect(yaml.stdout).toMatch(/\n---\n$/);
  expect(yaml.stdout).not.toContain('\u001b');
  const shown = await topics('echo', '/imu', '--once', '-o', 'table');
  expect(shown.stdout).toContain('orientation:\n  x: 0\n  y: 0\n');
  expect(shown.stdout).toContain('\norientation_covariance: [0, 0, 0, 0, 0, 0, 0, 0, 0]\n');
  expect(shown.stdout).not.toContain('\u001b');
});

test('a topic is read as often as is asked for, and the agent leaves the graph as it was', async () => {
  await using world = await startIsolatedWorld();
  await using ros = await startRos();
  await publishImu(ros);
  await using robot = await scene(world, '--ros', ros.url);
  const { person, agent } = robot;
  const topics = (...args: string[]) => person.cli(['robots', 'topics', 'amr-007', ...args]);
  const some = await topics('echo', '/imu', '--hz', '5', '--timeout', '8s');
  expect(some).toMatchObject({ code: 8 });
  const at = some.stdout
    .trim()
    .split('\n')
    .map((line) => Date.parse((JSON.parse(line) as { ts: string }).ts) / 1_000);
  expect(at.length).toBeGreaterThan(5);
  expect(at.length).toBeLessThan(5 * ((at.at(-1) ?? 0) - (at[0] ?? 0)) + 4);
  expect((await ros.graph()).nodes).toContainEqual(expect.stringContaining('/fleet_agent_'));
  agent.kill('SIGTERM');
  expect(await agent.ended).toMatchObject({ code: 0 });
  expect((await ros.graph()).nodes).not.toContainEqual(expect.stringContaining('/fleet_agent_'));
  expect(await topics('list')).toMatchObject({ code: 9 });
});

test('what goes wrong is said where it happens, and the stream comes back by itself', async () => {
  await using world = await startIsolatedWorld();
  await using ros = await startRos();
  await using robot = await scene(world, '--ros', ros.url);
  const { person } = robot;
  const echo = person.start(['robots', 'topics', 'amr-007', 'echo', '/chatter']);
  await echo.sees('── /chatter has no publisher yet ──');
  await ros.publish('/chatter', 'std_msgs/String', 'data: before');
  await echo.sees('"before"');
  await ros.stopMaster();
  await echo.sees('Retrying');
  await ros.startMaster();
  await echo.sees('responds again');
  echo.kill('SIGINT');
  expect(await echo.ended).toMatchObject({ code: 130 });
  for (const [args, code, sentence] of [
    [['echo'], 2, 'missing argument <topic>'],
    [['list', '/imu'], 2, 'Read it with: cli robots topics amr-007 echo /imu'],
    [['list', '--once'], 2, '--once requires echo'],
    [['echo', '/imu', '--hz', '0'], 2, '--hz must be a number from 0.1 to 1000'],
    [['echo', '/imu', '--fields', 'a..b'], 2, '"a..b" is not a valid field'],
    [['echo', '/imu', '-o', 'tsv'], 2, 'echo cannot print tsv\n  Use -o jsonl, yaml or table'],
    [['echo', '/imu', '--source', 'ros1://other:11311'], 5, 'this robot has no ROS graph ros1://other:11311'],
    [['echo', '/imu', '--once', '--timeout', '1s'], 8, 'no message within 1s'],
  ] as const) {
    const ended = await person.cli(['robots', 'topics', 'amr-007', ...args]);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
  }
});

always('a robot without a graph says so, and a graph that cannot be is refused at the start', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await scene(world);
  const listed = await robot.person.cli(['robots', 'topics', 'amr-007', 'list']);
  expect(listed).toMatchObject({ code: 6, stderr: expect.stringContaining('the robot offers no ROS topics') });
  expect(listed.stderr).toContain('cli agent run --ros');
  const echoed = await robot.person.cli(['robots', 'topics', 'amr-007', 'echo', '/imu']);
  expect(echoed).toMatchObject({ code: 6, stderr: expect.stringContaining('the robot offers no ROS topics') });
  await using home = await startHome();
  const refused = await home.cli(['agent', 'run', '--ros', 'ros2://x', '--enrollment-key', 'svc_enroll_x']);
  expect(refused.code).not.toBe(0);
});

test('nodes log to the service and batteries are in the health, where that is asked for', async () => {
  await using world = await startIsolatedWorld();
  await using ros = await startRos();
  await ros.run(`
import rospy
from sensor_msgs.msg import BatteryState
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
rospy.init_node('robot')
battery = rospy.Publisher('/battery_state', BatteryState, queue_size=1, latch=True)
battery.publish(percentage=0.815, voltage=24.63, power_supply_status=2)
diagnostics = rospy.Publisher('/diagnostics', DiagnosticArray, queue_size=1, latch=True)
diagnostics.publish(status=[DiagnosticStatus(level=0, name='lidar', message='fine'), DiagnosticStatus(level=2, name='motor', message='hot')])
rate = rospy.Rate(2)
while not rospy.is_shutdown():
    rospy.logwarn('the motor is hot')
    rate.sleep()
`);
  await until(async () => (await ros.graph()).published.has('/diagnostics'));
  await using robot = await scene(world, '--ros', ros.url, '--ros-health', '--heartbeat-seconds', '1');
  const { person } = robot;
  const logs = async () =>
    (await person.cli(['robots', 'logs', 'amr-007', '--source', 'rosout:/robot', '--json'])).stdout;
  await until(async () => (await logs()).includes('the motor is hot'));
  expect(JSON.parse(await logs()).items[0]).toMatchObject({
    level: 'warn',
    source: 'rosout:/robot',
    message: 'the motor is hot',
    fields: { file: expect.stringMatching(/\.py$/), line: expect.any(Number) },
  });
  const health = async () =>
    JSON.parse((await person.cli(['robots', 'inspect', 'amr-007', '--json'])).stdout).data.snapshot as Record<
      string,
      unknown
    >;
  await until(async () => (await health())['battery'] !== undefined && (await health())['extra'] !== undefined);
  expect(await health()).toMatchObject({
    battery: { percent: 81.5, status: 'Discharging', voltage: 24.63 },
    extra: { diagnostics: { ok: 1, error: 1, worst: [{ name: 'motor', level: 'error', message: 'hot' }] } },
  });
});

always('a record is one line for programs, however a robot writes it', async () => {
  await using world = await startIsolatedWorld();
  using robot = await watchRobot(world);
  await using person = await startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: world.url });
  const echoed = person.cli(['robots', 'topics', robot.id, 'echo', '/a', '--once', '--json']);
  const { socket } = await robot.come();
  const facts = '"topic":"/a","type":"a/B","seq":1,"ts":"2026-07-31T12:00:00Z"';
  socket.send(`{${facts},\r\n"msg":\n{"type":"a/B","msg":"none of ours"}\n}`);
  expect((await echoed).stdout).toBe(`{${facts},  "msg": {"type":"a/B","msg":"none of ours"} }\n`);
});

always('fields are picked by their paths, and one that was cut is told from one that is not there', () => {
  const message = { pose: { x: 1 }, ranges: [1, 2, { $more: 3 }], data: { $bytes: 9 }, none: null, few: [1, 2] };
  const paths = [
    'pose.x',
    'ranges[1]',
    'ranges[2]',
    'ranges[4]',
    'ranges[5]',
    'data[0]',
    'none.a',
    'few[2]',
    'pose[0]',
  ];
  expect(pick(message, fieldsOf([...paths, '__proto__'].join(',')) ?? [])).toEqual({
    'pose.x': 1,
    'ranges[1]': 2,
    'ranges[2]': { $more: 3 },
    'ranges[4]': { $more: 3 },
    'ranges[5]': null,
    'data[0]': { $bytes: 9 },
    'none.a': null,
    'few[2]': null,
    'pose[0]': null,
    ['__proto__']: null,
  });
});

always('a message is shown with words in place of what was cut, and obeys no terminal', () => {
  expect(
    messageLines({
      header: { frame_id: '', stamp: { sec: 1 } },
      data: { $bytes: 16_877 },
      ranges: [1.5, 'NaN', { $more: 872 }],
      poses: [{ x: 1, name: 'a b' }, { x: 2, name: '\u001b[31m' }, { $more: 3 }],
      none: [],
      empty: {},
      text: 'two\nlines',
      odd: '- not a list',
    }),
  ).toEqual([
    'header:',
    '  frame_id: ""',
    '  stamp:',
    '    sec: 1',
    'data: <16877 bytes>',
    'ranges: [1.5, NaN, … 872 more]',
    'poses:',
    '  - x: 1',
    '    name: a b',
    '  - x: 2',
    '    name: \u241b[31m',
    '  - … 3 more',
    'none: []',
    'empty: {}',
    'text: "two\\nlines"',
    'odd: "- not a list"',
  ]);
  expect(messageLines('x')).toEqual(['x']);
});
