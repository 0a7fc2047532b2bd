import { expect, test } from 'vitest';
import { connectAgent, linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

/** Takeovers may follow one another no faster than each second; the clock that counts is the database's. */
const letTakeoversPass = ({ db, orgId }: World) =>
  db('robot_links').where({ org_id: orgId }).update({ taken_over_at: null });

test('the newest link wins: the one before is closed with 4409, writes nothing more, and the robot stays online', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { flushEveryMs: 50 } });
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using first = await linkedAgent(world.url, robot.robot_token);
  using second = await linkedAgent(world.url, robot.robot_token);
  first.send({ type: 'heartbeat', health: { uptime_s: 1 } });
  expect(await first.closed).toEqual({ code: 4409, reason: 'a newer link of this robot took over' });
  second.send({ type: 'heartbeat', health: { uptime_s: 2 } });
  await expect.poll(async () => (await robots.health(robot)).snapshot).toEqual({ uptime_s: 2 });
  expect((await robots.robot(robot)).online).toBe(true);
  expect(await robots.story(robot)).toEqual(['enrolled', 'connected', 'disconnected replaced', 'connected']);
});

test('an agent that leaves and comes back at once replaced nobody', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  for (let round = 0; round < 4; round += 1) {
    using agent = await linkedAgent(world.url, robot.robot_token);
    agent.socket.close(1000);
    await agent.closed;
  }
  using last = await linkedAgent(world.url, robot.robot_token);
  expect(last.frames).toHaveLength(1);
  expect(await robots.story(robot)).toEqual([
    'enrolled',
    ...Array.from({ length: 4 }, () => ['connected', 'disconnected ended']).flat(),
    'connected',
  ]);
  expect(await world.db('robot_links').where({ org_id: world.orgId }).pluck('takeovers')).toEqual([0]);
});

test('an agent that replaces its own dead link is no duplicate, however often its network goes away', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  for (let round = 0; round < 6; round += 1) {
    using agent = await connectAgent(world.url, robot.robot_token);
    agent.hello({ instance: 'the same' });
    await agent.next('welcome');
    agent.socket.pause(); // nothing is heard of the link's end: it is half-open
    await letTakeoversPass(world);
  }
  expect(await robots.robot(robot)).not.toHaveProperty('duplicate_agent_at');
  expect((await robots.story(robot)).slice(1, 4)).toEqual(['connected', 'disconnected lost', 'connected']);
});

test('two agents that fight over one identity are flagged once, on the timeline, in the audit log and on the robot', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  const agents: Awaited<ReturnType<typeof linkedAgent>>[] = [];
  for (let takeover = 0; takeover <= 5; takeover += 1) {
    if (takeover === 4) expect(await robots.robot(robot)).not.toHaveProperty('duplicate_agent_at');
    agents.push(await linkedAgent(world.url, robot.robot_token));
    await letTakeoversPass(world);
  }
  expect(await robots.robot(robot)).toMatchObject({ online: true, duplicate_agent_at: expect.any(String) });
  const story = await robots.story(robot);
  expect(story.filter((each) => each === 'duplicate_agent')).toHaveLength(1);
  expect(story.slice(-5)).toEqual([
    'disconnected replaced',
    'connected',
    'duplicate_agent',
    'disconnected replaced',
    'connected',
  ]);
  const audit = await world.call('GET', '/api/audit?operation=flagDuplicateAgent');
  expect(audit.body.items).toMatchObject([{ actor_kind: 'system', object_kind: 'robot', object_id: robot.robot_id }]);
  await Promise.all(agents.slice(0, -1).map(async ({ closed }) => expect((await closed).code).toBe(4409)));
  for (const agent of agents) agent[Symbol.dispose]();
});

test('agents that replace one another without waiting are held to one takeover a second', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using first = await linkedAgent(world.url, robot.robot_token);
  using second = await linkedAgent(world.url, robot.robot_token);
  expect((await first.closed).code).toBe(4409);
  for (let tries = 0; tries < 3; tries += 1) {
    using pushy = await connectAgent(world.url, robot.robot_token);
    pushy.hello();
    expect(await pushy.closed).toEqual({
      code: 1013,
      reason: 'another link of this robot began less than 1 s ago; a second agent may use its token',
    });
  }
  expect(second.socket.readyState).toBe(second.socket.OPEN);
  expect(await robots.story(robot)).toEqual(['enrolled', 'connected', 'disconnected replaced', 'connected']);
});

test('takeovers that were made while the clock of the database was in 2100 refuse none, and flag no robot', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using first = await linkedAgent(world.url, robot.robot_token);
  const late = '2100-01-01';
  const marks = { taken_over_at: late, takeovers_since: late, takeovers: 3, duplicate_at: late };
  await world.db('robot_links').where({ org_id: world.orgId }).update(marks);
  using second = await linkedAgent(world.url, robot.robot_token);
  expect((await first.closed).code).toBe(4409);
  expect(second.socket.readyState).toBe(second.socket.OPEN);
  expect(await robots.robot(robot)).not.toHaveProperty('duplicate_agent_at');
  expect(await world.db('robot_links').where({ org_id: world.orgId }).pluck('takeovers')).toEqual([1]);
});

test('links of one robot that greet at the same instant leave exactly one', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  const agents = await Promise.all(Array.from({ length: 8 }, () => connectAgent(world.url, robot.robot_token)));
  for (const agent of agents) agent.hello();
  await expect.poll(() => agents.filter(({ socket }) => socket.readyState === socket.OPEN).length).toBe(1);
  expect((await robots.robot(robot)).online).toBe(true);
  const { text } = await world.call('GET', '/metrics', { token: '' });
  expect(text).toContain('fleet_agent_links 1');
  for (const agent of agents) agent[Symbol.dispose]();
});

test('a robot that is deleted, a token that is revoked and an org that is suspended end their links within 2 s', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  const [deleted, revoked, suspended] = await Promise.all([robots.enroll(), robots.enroll(), robots.enroll()]);
  const links = await Promise.all(
    [deleted, revoked, suspended].map((each) => linkedAgent(world.url, each.robot_token)),
  );
  const within2s = async (index: number) => {
    const startedAt = performance.now();
    const { code } = await (links[index] as (typeof links)[number]).closed;
    return { code, inTime: performance.now() - startedAt < 2_000 };
  };
  await world.call('DELETE', `/api/robots/${deleted.robot_id}`);
  expect(await within2s(0)).toEqual({ code: 4401, inTime: true });
  const tokens = await world.call('GET', `/api/tokens?robot_id=${revoked.robot_id}`);
  await world.call('POST', `/api/tokens/${tokens.body.items[0].id}/revoke`);
  expect(await within2s(1)).toEqual({ code: 4401, inTime: true });
  await expect.poll(() => robots.story(revoked)).toContain('disconnected unauthorized');
  expect(links[2]?.socket.readyState).toBe(1);
  await world.call('POST', `/api/admin/orgs/${world.orgId}/suspend`, { token: world.adminToken });
  expect(await within2s(2)).toEqual({ code: 1013, inTime: true }); // not for good
});
