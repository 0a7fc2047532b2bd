import { expect, onTestFinished, test, vi } from 'vitest';
import { factories } from '../support/factories.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld, type World } from '../support/world.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const until = inDays(1);
const pin = (world: World, robotId: string, body: object, token = world.orgToken) =>
  world.call('PUT', `/api/robots/${robotId}/pin`, { token, body: { until, reason: 'demo', ...body } });
const pathOf = (robotId: string) => `/api/robots/${robotId}/pin`;

test('a robot shows its pin with who and why, wherever it is read, until the pin is deleted', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const { enroll, robot } = robotsOf(world);
  const [amr, other] = [await enroll(), await enroll('amr-2')];
  const release = await make.release();
  const answer = await pin(world, amr.robot_id, { release_id: release.id });
  expect(answer.status, answer.text).toBe(200);
  const wanted = {
    release_id: release.id,
    tag: release.tag,
    until,
    reason: 'demo',
    pinned_by: expect.stringMatching(/^an org token ending in ..../),
  };
  expect(answer.body.data).toMatchObject(wanted);
  expect((await world.call('GET', pathOf(amr.robot_id))).body.data).toEqual(answer.body.data);
  expect((await robot(amr)).pin).toEqual(answer.body.data);
  const listed = async (query: string) =>
    (await world.call('GET', `/api/robots?${query}`)).body.items.map(({ id }: { id: string }) => id);
  expect(await listed('pinned=true')).toEqual([amr.robot_id]);
  expect(await listed('pinned=false')).toEqual([other.robot_id]);
  expect((await world.call('DELETE', pathOf(amr.robot_id))).body.data).toEqual(answer.body.data);
  expect((await robot(amr)).pin).toBeUndefined();
  expect((await world.call('GET', pathOf(amr.robot_id))).status).toBe(404);
  expect((await world.call('DELETE', pathOf(amr.robot_id))).status).toBe(404);
  const audit = (await world.call('GET', '/api/audit')).body.items.filter(
    ({ object_kind: kind }: { object_kind: string }) => kind === 'robot_pin',
  );
  expect(audit.map(({ operation }: { operation: string }) => operation).sort()).toEqual([
    'deleteRobotPin',
    'setRobotPin',
  ]);
});

test('the same pin again changes nothing, and another one replaces it', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll();
  const release = await factories(world).release();
  const first = await pin(world, id, { release_id: release.id });
  const operator = await factories(world).userToken('operator');
  expect((await pin(world, id, { release_id: release.id }, operator)).body).toEqual(first.body);
  const second = await pin(world, id, { release_id: release.id, reason: 'audit' }, operator);
  expect(second.body.data).toMatchObject({ reason: 'audit', pinned_by: 'operator@example.com' });
});

test('the timeline of a robot has its pins, who set and ended them, and those whose time is over', async () => {
  await using world = await startWorld();
  const { enroll, timeline } = robotsOf(world);
  const robot = await enroll();
  const { id, tag } = await factories(world).release({ tag: 'nav-1' });
  const operator = await factories(world).userToken('operator');
  const entries = async () => (await timeline(robot)).filter(({ kind }) => kind.endsWith('pinned'));
  for (const reason of ['demo', 'demo', 'audit'])
    await pin(world, robot.robot_id, { release_id: id, reason }, operator);
  await world.call('DELETE', pathOf(robot.robot_id), { token: operator });
  const by = 'operator@example.com';
  expect(await entries()).toMatchObject([
    { kind: 'pinned', message: `pinned at nav-1 until ${until}: demo (${by})` },
    { kind: 'pinned', details: { release_id: id, tag, until, reason: 'audit', pinned_by: by } },
    { kind: 'unpinned', message: `pin at nav-1 ended by ${by}: audit`, details: { release_id: id, unpinned_by: by } },
  ]);

  await pin(world, robot.robot_id, { release_id: id });
  await world.db('robot_pins').update({ until: world.db.fn.now() });
  await expect.poll(async () => (await entries()).at(-1)?.message).toBe('pin at nav-1 ended: demo');
  expect(await entries()).toHaveLength(5);
});

test('without a release it is what the robot runs by its last report, and that must be one', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll();
  const [one, other] = [await factories(world).release(), await factories(world).release()];
  const reports = async (releases: object) => {
    await world.db('robot_reports').where({ robot_id: id }).delete();
    await world
      .db('robot_reports')
      .insert({ org_id: world.orgId, robot_id: id, releases: JSON.stringify(releases), configs: '{}' });
  };
  const running = (release: { id: string; tag: string }, more: object = {}) => ({
    release_id: release.id,
    tag: release.tag,
    ...more,
  });
  expect((await pin(world, id, {})).body.error.message).toBe(
    'robot "amr-1" has reported no release; send the release_id at which it stays',
  );
  await reports({ file: running(one), archive: running(other) });
  expect((await pin(world, id, {})).body.error.message).toBe(
    `robot "amr-1" runs 2 releases: ${one.tag}, ${other.tag}; send the release_id at which it stays`,
  );
  await reports({ file: running(one), script: running(other) });
  expect((await pin(world, id, {})).body.data.release_id).toBe(one.id);
  await reports({
    file: running(one, { drift: { since: until, running_release_id: other.id, running_tag: other.tag } }),
  });
  expect((await pin(world, id, {})).body.data.release_id).toBe(other.id);
});

test('a pin needs a time ahead, a reason, and a release and a robot of the org', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const { robot_id: id } = await robotsOf(world).enroll();
  const { id: release_id } = await make.release();
  const message = async (body: object, robotId = id, token = world.orgToken) => {
    const { status, body: answer } = await pin(world, robotId, { release_id, ...body }, token);
    return `${status} ${answer.error.message}`;
  };
  expect(await message({ until: inDays(-1) })).toBe('400 body.until: must be in the future');
  expect(await message({ until: inDays(367) })).toBe('400 body.until: more than 366 days ahead');
  expect(await message({ until: 'tomorrow' })).toMatch(/^400 .*until/);
  expect(await message({ reason: '' })).toMatch(/^400 .*reason/);
  expect(await message({ release_id: 'unknown' })).toBe('404 release not found');
  expect(await message({}, 'unknown')).toBe('404 robot not found');
  const stranger = await make.org();
  expect(await message({}, id, stranger.token)).toBe('404 robot not found');
  const { id: foreign } = await make.release({}, stranger.token);
  expect(await message({ release_id: foreign })).toBe('404 release not found');
  expect((await world.call('GET', pathOf(id), { token: stranger.token })).status).toBe(404);
  expect((await pin(world, id, { release_id, until: inDays(365.9) })).status).toBe(200);
});

test('a pin that ends in the past by the clock of the database is refused, whatever the clock of the replica says', async () => {
  await using world = await startWorld();
  const { robot_id: id } = await robotsOf(world).enroll();
  const { id: release_id } = await factories(world).release();
  const realMs = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => realMs() - 3_600_000);
  onTestFinished(() => clock.mockRestore());
  const refused = await pin(world, id, { release_id, until: new Date(realMs() - 1_800_000).toISOString() });
  expect([refused.status, refused.body.error.message]).toEqual([400, 'body.until: must be in the future']);
  clock.mockImplementation(() => realMs() + 3_600_000);
  const answer = await pin(world, id, { release_id, until: new Date(realMs() + 1_800_000).toISOString() });
  expect(answer.status, answer.text).toBe(200);
});

test('a pin stays when its release is archived, and when the robot moves; it is that of the robot that replaces it', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const { enroll, robot } = robotsOf(world);
  const amr = await enroll();
  const release = await make.release();
  await world.call('PATCH', `/api/releases/${release.id}`, { body: { archived: true } });
  const { body } = await pin(world, amr.robot_id, { release_id: release.id });
  const fleet = await make.fleet();
  await world.call('PATCH', `/api/robots/${amr.robot_id}`, { body: { fleet_id: fleet.id } });
  expect((await robot(amr)).pin).toEqual(body.data);
  const key = await make.key();
  const again = await world.call('POST', '/agent/enroll', {
    token: key.value,
    body: { replaces_token: amr.robot_token },
  });
  expect(again.status, again.text).toBe(201);
  const successor = again.body.data;
  expect(await robot(successor)).toMatchObject({ replaces: amr.robot_id, pin: body.data });
  expect((await robot(amr)).pin).toBeUndefined();
  expect((await pin(world, amr.robot_id, { release_id: release.id })).body.error.message).toContain(
    `is retired; pin robot ${successor.robot_id}`,
  );
  await world.call('DELETE', `/api/robots/${successor.robot_id}`);
  expect(await world.db('robot_pins').where({ robot_id: successor.robot_id })).toEqual([]);
});
