import { expect, test } from 'vitest';
import { linkStore } from '../../src/agent-links/store.ts';
import { connectAgent } from '../support/fake-agent.ts';
import { operatorOf } from '../support/operator.ts';
import { orderAgent } from '../support/order-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

const capabilities = { logs: true, orders: true };
const speed = { key: 'nav.max_speed', value: 1.2 };

const counted = async (world: World) => {
  const text = await (await fetch(`${world.url}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^fleet_agent_faulty_reports_total\{outcome="(\w+)"\} (\d+)$/gm)].map(([, outcome, count]) => [
      outcome,
      Number(count),
    ]),
  );
};

/** An order that its robot has, and the link of an agent that took it. */
async function startOrder(world: World) {
  const robot = await robotsOf(world).enroll();
  const agent = await orderAgent(world.url, robot.robot_token);
  const operator = operatorOf(world);
  const deploymentId = await operator.deployConfig(robot.robot_id, speed);
  const { order_id, digest } = await agent.order();
  return { robot, agent, operator, deploymentId, order_id, digest };
}

const faultyFields = [
  ['a reason of 65 characters', { reason: 'x'.repeat(65) }],
  ['a reason that is not text', { reason: { code: 7 } }],
  ['a digest of null', { digest: null }],
  ['a digest that is too long', { digest: 'a'.repeat(65) }],
  ['a fractional percent', { progress: { percent: 40.5 } }],
  ['a percent above 100', { progress: { percent: 140 } }],
  ['a progress without percent', { progress: { text: 'half' } }],
  ['a progress text that is too long', { progress: { percent: 40, text: 'x'.repeat(201) } }],
  ['a progress that is a list', { progress: [40] }],
  ['a wait that is text', { progress: { percent: 1, waiting_on: 'battery' } }],
  ['a wait without a holder', { progress: { percent: 1, waiting_on: { reason: 'low' } } }],
  ['a wait with an empty holder', { progress: { percent: 1, waiting_on: { holder: '', reason: 'low' } } }],
  ['a holder that is too long', { progress: { percent: 1, waiting_on: { holder: 'x'.repeat(33), reason: 'low' } } }],
  [
    'a reason of a wait that is too long',
    { progress: { percent: 1, waiting_on: { holder: 'a', reason: 'x'.repeat(1e5) } } },
  ],
  ['a wait without a reason', { progress: { percent: 1, waiting_on: { holder: 'a', reason: null } } }],
  ['a message of null', { message: null }],
  ['a report_seq that is text', { report_seq: 'one' }],
  ['steps that are text', { steps: 'download' }],
  ['a step without a duration', { steps: [{ step: 'download', started_at: '2026-11-22T02:00:00Z' }] }],
  [
    'a step with a name of another form',
    { steps: [{ step: 'Rm -rf', started_at: '2026-11-22T02:00:00Z', duration_ms: 1 }] },
  ],
] as const;

test('faulty optional fields of a held report never end the link: they are cut or left out, and counted', async () => {
  await using world = await startIsolatedWorld();
  const { robot, agent: first, operator, order_id } = await startOrder(world);
  first.socket.close(1000);
  await first.closed;
  for (const [what, fields] of faultyFields) {
    using agent = await connectAgent(world.url, robot.robot_token);
    agent.hello({ capabilities, holding: [{ order_id, status: 'installing', ...fields }] });
    expect(await agent.next('report_ack'), what).toMatchObject({ order_id, status: 'installing', ended: false });
    agent.socket.close(1000);
    await agent.closed;
  }
  expect(await counted(world)).toEqual({ repaired: faultyFields.length, ignored: 0 });
  expect(await operator.deployment()).toMatchObject({ counts: { installing: 1 } });
});

test('a live report with faulty optional fields is read like a held one', async () => {
  await using world = await startIsolatedWorld();
  const { agent, deploymentId, order_id } = await startOrder(world);
  for (const [what, fields] of faultyFields) {
    agent.send({ type: 'report', order_id, status: 'installing', ...fields });
    expect(await agent.next('report_ack'), what).toMatchObject({ order_id, status: 'installing', ended: false });
  }
  agent.send({ type: 'report', order_id, status: 'failed', reason: 'x'.repeat(70), message: 7 });
  expect(await agent.next('report_ack')).toMatchObject({ ended: true });
  const { items } = (await world.call('GET', `/api/configs/deployments/${deploymentId}/targets`)).body;
  expect(items).toMatchObject([{ status: 'failed', reason: 'x'.repeat(64) }]);
  expect(await counted(world)).toEqual({ repaired: faultyFields.length + 1, ignored: 0 });
  agent.socket.terminate();
});

test('held entries of which nothing can be read are ignored and counted, and the readable ones beside them count', async () => {
  await using world = await startIsolatedWorld();
  const { robot, agent: first, order_id, digest } = await startOrder(world);
  first.socket.close(1000);
  await first.closed;
  const unreadable = [
    null,
    7,
    'x',
    [],
    {},
    { order_id },
    { order_id, status: null },
    { order_id: 7, status: 'failed' },
  ];
  const tooLongId = { order_id: 'x'.repeat(65), status: 'failed' };
  using agent = await connectAgent(world.url, robot.robot_token);
  agent.hello({ capabilities, holding: [...unreadable, tooLongId, { order_id, status: 'applied', digest }] });
  expect(await agent.next('report_ack')).toMatchObject({ order_id, status: 'applied', ended: true });
  expect(await counted(world)).toEqual({ repaired: 0, ignored: unreadable.length + 1 });

  for (const holding of [null, 7, 'x', { order_id }]) {
    using other = await connectAgent(world.url, robot.robot_token);
    other.hello({ capabilities, holding });
    await other.next('desired');
    other.socket.close(1000);
    await other.closed;
  }
  using crowded = await connectAgent(world.url, robot.robot_token);
  crowded.hello({
    capabilities,
    holding: Array.from({ length: 130 }, (_each, index) => ({ order_id: `order-${index}`, status: 'failed' })),
  });
  await crowded.next('desired');
  expect(crowded.frames.filter(({ type }) => type === 'report_ack')).toHaveLength(100);
  expect(await counted(world)).toEqual({ repaired: 0, ignored: unreadable.length + 1 + 4 + 30 });
});

test('the timeline of a robot whose hello is refused tells the close code and reason, for its first link too', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  const refused = async (hello: object) => {
    using agent = await connectAgent(world.url, robot.robot_token);
    agent.send(hello);
    return await agent.closed;
  };
  const newest = async () => (await robots.timeline(robot)).at(-1);
  const told = (code: number, closeReason: string) => ({
    kind: 'link_refused',
    message: `link refused before it was up (${code}: ${closeReason})`,
    details: { code, close_reason: closeReason },
  });
  await refused({ type: 'helo' });
  await expect.poll(newest).toMatchObject(told(1008, 'first frame must be hello'));
  await refused({ type: 'hello', protocol: 2 });
  await expect.poll(newest).toMatchObject(told(4426, 'this service speaks protocol 1'));
  using agent = await orderAgent(world.url, robot.robot_token);
  agent.socket.close(1000);
  await agent.closed;
  await refused({ type: 'hello', protocol: 1, agent_version: 7, boot_id: 'x' });
  await expect.poll(newest).toMatchObject(told(1008, 'hello/agent_version: must be string'));
  expect((await robots.timeline(robot)).map(({ kind }) => kind)).toEqual([
    'enrolled',
    ...['link_refused', 'link_refused', 'connected', 'disconnected', 'link_refused'],
  ]);
});

test('an agent whose hello is refused in a loop fills no timeline, before its first link and after it', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  await world.db.raw(
    `insert into timeline (org_id, robot_id, id, kind) select ?, ?, gen_random_uuid(), 'link_refused' from generate_series(1, 60)`,
    [world.orgId, robot.robot_id],
  );
  const refuse = async () => {
    using agent = await connectAgent(world.url, robot.robot_token);
    agent.send({ type: 'helo' });
    await agent.closed;
  };
  await refuse();
  using agent = await orderAgent(world.url, robot.robot_token);
  await world.db('robot_links').update({ told: 60 });
  await refuse();
  await expect.poll(() => world.db('robot_links').pluck('left_out')).toEqual([1]);
  expect((await robots.timeline(robot)).filter(({ kind }) => kind === 'link_refused')).toHaveLength(60);
  agent.socket.terminate();
});

test('a link that ended and hellos that were refused while the database was away are all told, and the robot is offline', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using agent = await orderAgent(world.url, robot.robot_token);
  const [held] = await world.db('robot_links').select('replica_id', 'epoch');
  const link = { orgId: world.orgId, robotId: robot.robot_id };
  const ended = { ...link, epoch: Number(held.epoch), reason: 'ended', code: 1000, closeReason: undefined } as const;
  const refused = {
    ...link,
    epoch: 0,
    reason: 'refused',
    code: 1008,
    closeReason: 'first frame must be hello',
  } as const;
  await linkStore(world.db, held.replica_id).end([refused, ended, refused]);
  const kinds = (await robots.timeline(robot)).map(({ kind }) => kind).sort();
  expect(kinds).toEqual(['connected', 'disconnected', 'enrolled', 'link_refused', 'link_refused']);
  expect(await world.db('robot_links').pluck('replica_id')).toEqual([null]);
  // Several hellos of one robot that are told together.
  await linkStore(world.db, held.replica_id).end([refused, refused, refused]);
  const refusals = (await robots.timeline(robot)).filter(({ kind }) => kind === 'link_refused');
  expect(refusals).toHaveLength(5);
  expect(await world.db('robot_links').pluck('told')).toEqual([7]);
  // As many as an hour takes, however many came while the database was away.
  await linkStore(world.db, held.replica_id).end(Array.from({ length: 200 }, () => refused));
  const all = (await robots.timeline(robot)).filter(({ kind }) => kind === 'link_refused');
  expect(all).toHaveLength(65);
  agent.socket.terminate();
});

test('a frame that is refused for a key of the agent’s own ends its link alone, whatever the key is made of', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const [robot, bystander] = await robots.enrollMany(2);
  if (!robot || !bystander) throw new Error('two robots were asked for');
  for (const key of ['界'.repeat(60), 'nul\0', '\ud83d', 'x'.repeat(500)]) {
    using agent = await connectAgent(world.url, robot.robot_token);
    agent.send({ type: 'running', lanes: { [key]: 5 } });
    expect(await agent.closed).toMatchObject({ code: 1008 });
  }
  using other = await connectAgent(world.url, bystander.robot_token);
  other.hello();
  await other.next('welcome');
  other.socket.close(1000);
  await expect.poll(() => robots.story(bystander)).toContain('disconnected ended');
  const refused = (await robots.timeline(robot)).filter(({ kind }) => kind === 'link_refused');
  expect(refused).toHaveLength(4);
  expect(world.lines.filter((line) => line.includes('could not be written'))).toEqual([]);
});
