import { expect, test } from 'vitest';
import { writeOmittedCounts } from '../../src/agent-links/service.ts';
import { timelineService } from '../../src/timeline/service.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { startIsolatedWorld, startWorld, type World } from '../support/world.ts';

/** Links and leaves; resolves when the end is written. */
async function comeAndGo(world: World, robot: Identity): Promise<void> {
  using agent = await linkedAgent(world.url, robot.robot_token);
  agent.socket.close(1000);
  await agent.closed;
  const ended = () =>
    world.db('robot_links').where({ robot_id: robot.robot_id }).whereNull('replica_id').pluck('robot_id');
  await expect.poll(ended, { interval: 5 }).toHaveLength(1);
}

test('a robot that connects in a loop gets 60 entries an hour, and then one that says how many were left out', async () => {
  await using world = await startWorld();
  const robots = robotsOf(world);
  // Without the rule for such a robot, whose entries stand between those of links.
  const { items } = (await world.call('GET', '/api/condition-rules')).body as { items: { id: string; name: string }[] };
  const rule = items.find(({ name }) => name === 'connection-unstable');
  await world.call('DELETE', `/api/condition-rules/${rule?.id ?? ''}`);
  const [loop, calm] = [await robots.enroll(), await robots.enroll()];
  for (let round = 0; round < 40; round += 1) await comeAndGo(world, loop);
  await comeAndGo(world, calm);
  expect(await robots.story(loop)).toEqual([
    'enrolled',
    ...Array.from({ length: 30 }, () => ['connected', 'disconnected ended']).flat(),
  ]);
  expect(await robots.story(calm)).toEqual(['enrolled', 'connected', 'disconnected ended']);
  expect(await writeOmittedCounts(world.db)).toBe(0); // the hour is not over

  await world.db.raw(`update robot_links set told_since = told_since - interval '1 hour'`);
  expect(await writeOmittedCounts(world.db)).toBe(1);
  expect(await writeOmittedCounts(world.db)).toBe(0);
  await comeAndGo(world, loop);
  await comeAndGo(world, calm);
  expect((await robots.timeline(loop)).slice(61)).toMatchObject([
    {
      seq: 62,
      kind: 'links_left_out',
      message: '20 more connects and disconnects within an hour, left out here; the last: disconnected',
      details: { entries: 20, last: 'disconnected', since: expect.stringMatching(/^20\d\d-/) as string },
    },
    { seq: 63, kind: 'connected' },
    { seq: 64, kind: 'disconnected' },
  ]);
  expect(await robots.story(calm)).toHaveLength(5);
});

test('an hour of links that began while the clock of the database was in 2100 is over', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  const [full, left] = await robots.enrollMany(2);
  if (!full || !left) throw new Error('two robots were enrolled');
  for (const robot of [full, left]) await comeAndGo(world, robot);
  const links = (robot: Identity) => world.db('robot_links').where({ robot_id: robot.robot_id });
  await links(full).update({ told: 60, told_since: '2100-01-01' });
  await links(left).update({ told: 60, told_since: '2100-01-01', left_out: 7 });
  await comeAndGo(world, full);
  expect((await robots.story(full)).slice(3)).toEqual(['connected', 'disconnected ended']);
  expect(await writeOmittedCounts(world.db)).toBe(1);
  expect((await robots.story(left)).slice(3)).toEqual(['links_left_out']);
});

test('links that replace one another beyond the limit are counted too, and stay what they are', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using first = await linkedAgent(world.url, robot.robot_token);
  await world.db('robot_links').update({ told: 60 });
  using second = await linkedAgent(world.url, robot.robot_token);
  expect((await first.closed).code).toBe(4409);
  expect(await robots.story(robot)).toEqual(['enrolled', 'connected']);
  expect(await world.db('robot_links').select('told', 'left_out')).toEqual([{ told: 60, left_out: 2 }]);
  expect(await robots.robot(robot)).toMatchObject({ online: true });
  await world.db.raw(`update robot_links set told_since = told_since - interval '1 hour'`);
  await writeOmittedCounts(world.db);
  expect((await robots.timeline(robot)).at(-1)).toMatchObject({
    kind: 'links_left_out',
    details: { entries: 2, last: 'connected' },
  });
  second.socket.terminate();
});

test('entries beyond the retention go, the newest of each robot stays, and numbers go on', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  const [quiet, busy, removed] = [await robots.enroll(), await robots.enroll(), await robots.enroll()];
  for (const robot of [quiet, busy, removed]) await comeAndGo(world, robot);
  await timelineService(world.db).sealAll();
  await world.db.raw(`update timeline set at = at - interval '401 days'`);
  await comeAndGo(world, busy);
  await robots.timeline(busy);
  await world.call('DELETE', `/api/robots/${removed.robot_id}`);
  expect(await timelineService(world.db).dropOlder(402)).toBe(0);
  expect(await timelineService(world.db).dropOlder(400)).toBe(8);
  expect((await robots.timeline(quiet)).map(({ seq }) => seq)).toEqual([3]);
  expect((await robots.timeline(busy)).map(({ seq }) => seq)).toEqual([4, 5]);
  expect(await world.db('timeline').where({ robot_id: removed.robot_id })).toEqual([]);
  await comeAndGo(world, quiet);
  expect((await robots.timeline(quiet)).map(({ seq }) => seq)).toEqual([3, 4, 5]);
});
