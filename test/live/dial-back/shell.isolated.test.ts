import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { dialBack, nextOpen, openShell, openStream, shellAgent, shellOf } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { linkedAgent } from '../../support/fake-agent.ts';
import { robotsOf } from '../../support/robots.ts';
import { startIsolatedWorld, startWorld, type World } from '../../support/world.ts';

/** A robot whose agent is linked and opens shells. */
async function linkedRobot(world: World) {
  const robot = await robotsOf(world).enroll();
  const agent = await shellAgent(world.url, robot.robot_token);
  return { id: robot.robot_id, token: robot.robot_token, agent, [Symbol.dispose]: () => agent.socket.terminate() };
}

/** The entries of the audit log about streams. */
const told = async (world: World) =>
  ((await world.call('GET', '/api/audit')).body.items as { operation: string }[]).filter(({ operation }) =>
    /^(open|close|fail)Shell$/.test(operation),
  );

test('bytes pass both ways as they are, frame by frame, text as text, and what is typed before the robot came is not lost', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  using viewer = await openStream(shellOf(world.url, robot.id, '?cols=120&rows=40'), { token: world.orgToken });
  viewer.socket.send('early');
  const open = await nextOpen(robot.agent);
  expect(open).toMatchObject({ kind: 'shell', parameters: { cols: 120, rows: 40 } });
  expect(open).not.toHaveProperty('protocol');
  using stream = await dialBack(world.url, open);
  const odd = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  viewer.socket.send(odd);
  viewer.socket.send(Buffer.alloc(0));
  viewer.socket.send('späť');
  await expect.poll(() => stream.frames).toEqual(['early', odd, Buffer.alloc(0), 'späť']);
  const much = Array.from({ length: 40 }, () => randomBytes(100_000));
  for (const piece of much) stream.socket.send(piece);
  stream.socket.send('{"type":"exit"}');
  stream.socket.close(1000, 'exit 3');
  expect(await viewer.closed).toEqual({ code: 1000, reason: 'exit 3' });
  expect(viewer.bytes().equals(Buffer.concat(much))).toBe(true);
  expect(viewer.frames.at(-1)).toBe('{"type":"exit"}');
});

test('the subprotocol of shells is agreed on and told to the agent; any other is not named back', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken, { protocol: 'fleet.shell.v1' });
  expect(shell.viewer.socket.protocol).toBe('fleet.shell.v1');
  expect(shell.open.protocol).toBe('fleet.shell.v1');
  await expect(
    openStream(shellOf(world.url, robot.id), { token: world.orgToken, protocol: 'bearer.secret' }),
  ).rejects.toThrow('no subprotocol');
});

test('who is not let in hears it before the upgrade, and the agent hears nothing', async () => {
  await using world = await startWorld();
  const make = factories(world);
  using robot = await linkedRobot(world);
  const other = await make.org();
  const away = await robotsOf(world).enroll('away');
  const mute = await robotsOf(world).enroll('mute');
  using silent = await linkedAgent(world.url, mute.robot_token);
  const viewerToken = await make.userToken('viewer');
  const cases: [string, string | undefined, string, number, string][] = [
    ['nobody', undefined, robot.id, 401, 'token missing'],
    ['a viewer', viewerToken, robot.id, 403, 'needs operator'],
    ['a robot', robot.token, robot.id, 403, 'tokens of the kind'],
    ['another org', other.token, robot.id, 404, 'robot not found'],
    ['an id of nothing', world.orgToken, '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61', 404, 'robot not found'],
    ['a robot that is away', world.orgToken, away.robot_id, 409, 'agent offline'],
    ['a robot without shells', world.orgToken, mute.robot_id, 409, 'shells are off on this robot'],
  ];
  for (const [what, token, id, status, words] of cases) {
    const refused = openStream(shellOf(world.url, id), token === undefined ? {} : { token });
    await expect(refused, what).rejects.toMatchObject({ status, message: expect.stringContaining(words) });
  }
  for (const query of ['?cols=0', '?rows=1001', '?cols=x', '?tty=1'])
    await expect(openStream(shellOf(world.url, robot.id, query), { token: world.orgToken })).rejects.toMatchObject({
      status: 400,
    });
  await expect(
    openStream(shellOf(world.url, robot.id, `?token=${world.orgToken}`), { token: world.orgToken }),
  ).rejects.toMatchObject({ status: 400 });
  expect([...robot.agent.frames, ...silent.frames].filter(({ type }) => type === 'open')).toEqual([]);
  expect(await told(world)).toEqual([]);
});

test('an operator may, with the token in the header or in the address, which no log has', async () => {
  await using world = await startWorld();
  const token = await factories(world).userToken('operator');
  using robot = await linkedRobot(world);
  using inHeader = await openShell(world.url, robot.agent, robot.id, token);
  expect(inHeader.viewer.headers['x-service-org-id']).toBe(world.orgId);
  using inQuery = await openStream(shellOf(world.url, robot.id, `?token=${token}`));
  const open = await nextOpen(robot.agent);
  using stream = await dialBack(world.url, open);
  stream.socket.send('x');
  await expect.poll(() => inQuery.frames).toEqual(['x']);
  const log = world.lines.join('\n');
  expect(log).not.toMatch(/svc_[a-z]+_[0-9a-f]{64}/);
  expect(log).not.toContain(open.secret);
});

test('a secret is good once, for its session, and no token stands for it', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  using viewer = await openStream(shellOf(world.url, robot.id), { token: world.orgToken });
  using second = await openStream(shellOf(world.url, robot.id), { token: world.orgToken });
  const [open, other] = [await nextOpen(robot.agent), await nextOpen(robot.agent)];
  const key = (await factories(world).key()).value as string;
  const wrong: [string, string | undefined, number][] = [
    ['nothing', undefined, 401],
    ['a wrong secret', 'ab'.repeat(32), 401],
    ['the secret of another session', other.secret, 401],
    ["the robot's token", robot.token, 403],
    ["the org's token", world.orgToken, 403],
    ['an enrollment key', key, 403],
    ['a token of nobody', `svc_robot_${'0'.repeat(64)}`, 401],
  ];
  for (const [what, token, status] of wrong)
    await expect(
      openStream(`${world.url}${open.path}`, token === undefined ? {} : { token }),
      what,
    ).rejects.toMatchObject({ status });
  for (const path of [
    '/agent/streams/x/y',
    open.path.replace(/\/[^/]+\/([^/]+)$/, '/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61/$1'),
  ])
    await expect(openStream(`${world.url}${path}`, { token: open.secret }), path).rejects.toMatchObject({
      status: 401,
    });
  using stream = await dialBack(world.url, open);
  await expect(dialBack(world.url, open)).rejects.toMatchObject({ status: 401 });
  stream.socket.send('here');
  await expect.poll(() => viewer.frames).toEqual(['here']);
  expect(second.frames).toEqual([]);
  // Two at the same instant: one of them is the robot's end.
  const both = await Promise.allSettled([dialBack(world.url, other), dialBack(world.url, other)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const each of both) if (each.status === 'fulfilled') each.value.socket.terminate();
});

test('a robot that never dials back: the viewer hears why, the agent that it need not come, and it is too late then', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { openWithinMs: 300 } });
  using robot = await linkedRobot(world);
  using viewer = await openStream(shellOf(world.url, robot.id), { token: world.orgToken });
  const open = await nextOpen(robot.agent);
  expect(Math.abs(Date.parse(open.expires_at) - Date.now())).toBeLessThan(5_000); // 10 s without the limit
  expect(await viewer.closed).toEqual({ code: 4503, reason: 'the robot did not open the stream in time' });
  expect(await robot.agent.next('close')).toEqual({ type: 'close', session_id: open.session_id });
  await expect(dialBack(world.url, open)).rejects.toMatchObject({ status: 401 });
  const { session_id } = open;
  const after = { session_id, code: 4503, reason: 'the robot did not open the stream in time' };
  await expect
    .poll(() => told(world))
    .toEqual([expect.objectContaining({ operation: 'failShell', object_id: robot.id, after })]);
});

test('a viewer that leaves before the robot came: the agent hears that it need not come', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  using viewer = await openStream(shellOf(world.url, robot.id), { token: world.orgToken });
  const open = await nextOpen(robot.agent);
  viewer.socket.send('typed before');
  viewer.socket.close(1000);
  expect(await robot.agent.next('close')).toEqual({ type: 'close', session_id: open.session_id });
  await expect(dialBack(world.url, open)).rejects.toMatchObject({ status: 401 });
});

test('open streams are counted by kind', async () => {
  await using world = await startIsolatedWorld();
  using robot = await linkedRobot(world);
  const counts = async () => (await (await fetch(`${world.url}/metrics`)).text()).match(/^fleet_viewers\{.*$/gm);
  const others = ['logs', 'camera', 'topic'].map((kind) => `fleet_viewers{kind="${kind}"} 0`);
  expect(await counts()).toEqual(['fleet_viewers{kind="shell"} 0', ...others]);
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  expect(await counts()).toEqual(['fleet_viewers{kind="shell"} 1', ...others]);
  shell.viewer.socket.close(1000);
  await expect.poll(counts).toContain('fleet_viewers{kind="shell"} 0');
});

test('the word of an agent that refuses reaches the viewer, cleaned; that of another robot does not', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  const stranger = await robotsOf(world).enroll('stranger');
  using other = await shellAgent(world.url, stranger.robot_token);
  const cases: [object, number, string][] = [
    [{ reason: 'forbidden', message: 'shells are off on this robot' }, 4403, 'shells are off on this robot'],
    [{ reason: 'unsupported' }, 4403, 'the agent does not support this stream'],
    [{ reason: 'busy' }, 4429, 'the robot has reached its limit of streams'],
    [{ reason: 'failed', message: `\u001b[31m${'é'.repeat(150)}` }, 1011, ` [31m${'é'.repeat(59)}`],
    [{ reason: 'of tomorrow' }, 1011, 'the robot could not open the stream'],
    [{ reason: 'constructor' }, 1011, 'the robot could not open the stream'],
    [{ reason: '__proto__' }, 1011, 'the robot could not open the stream'],
  ];
  for (const [refusal, code, reason] of cases) {
    using viewer = await openStream(shellOf(world.url, robot.id), { token: world.orgToken });
    const { session_id } = await nextOpen(robot.agent);
    other.send({ type: 'refused', session_id, reason: 'busy' });
    robot.agent.send({ type: 'refused', session_id, ...refusal });
    expect(await viewer.closed).toEqual({ code, reason });
    await expect.poll(async () => (await told(world)).at(-1)).toMatchObject({ after: { session_id, code, reason } });
  }
});

test('the end of either side reaches the other, as it was meant', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  const shell = () => openShell(world.url, robot.agent, robot.id, world.orgToken);
  for (const [said, heard] of [
    [1000, 1000],
    [undefined, 1000],
    [1001, 1001],
    [3000, 1001],
  ] as const) {
    using each = await shell();
    each.viewer.socket.close(said);
    expect((await each.robot.closed).code, `the viewer says ${said}`).toBe(heard);
  }
  // A robot cannot say what would make a client give its token up.
  for (const [said, heard] of [
    [1000, 1000],
    [undefined, 1000],
    [4410, 4410],
    [1012, 1012],
    [4401, 1011],
    [4426, 1011],
  ] as const) {
    using each = await shell();
    each.robot.socket.close(said);
    expect((await each.viewer.closed).code, `the robot says ${said}`).toBe(heard);
  }
  using lost = await shell();
  lost.robot.socket.terminate();
  expect(await lost.viewer.closed).toEqual({ code: 4503, reason: 'the connection to the robot was lost' });
  using cut = await shell();
  cut.viewer.socket.terminate();
  expect((await cut.robot.closed).code).toBe(1001);
});

test('frames over the caps end the stream with 1009, of either side', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  const shell = () => openShell(world.url, robot.agent, robot.id, world.orgToken);
  using mine = await shell();
  mine.viewer.socket.send(Buffer.alloc(65_537));
  expect((await mine.viewer.closed).code).toBe(1009);
  expect((await mine.robot.closed).code).toBe(1001);
  using theirs = await shell();
  theirs.robot.socket.send(Buffer.alloc(262_145));
  expect((await theirs.robot.closed).code).toBe(1009);
  expect(await theirs.viewer.closed).toMatchObject({ code: 1009, reason: expect.stringContaining('262144') });
  using largest = await shell();
  largest.viewer.socket.send(Buffer.alloc(65_536));
  largest.robot.socket.send(Buffer.alloc(262_144));
  await expect.poll(() => [largest.viewer.byteCount(), largest.robot.byteCount()]).toEqual([262_144, 65_536]);
});

test('the audit log tells who had a shell, by which request, for how long and how many bytes passed', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const user = await make.user('operator');
  const issued = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  using robot = await linkedRobot(world);
  const headers = { 'X-Request-Id': 'shell-1' };
  using shell = await openShell(world.url, robot.agent, robot.id, issued.value, { headers });
  expect(shell.open.opened_by).toBe(`user:${user.id}`);
  shell.viewer.socket.send('ls\n');
  shell.robot.socket.send(Buffer.from('file\n'));
  await expect.poll(() => shell.viewer.frames.length + shell.robot.frames.length).toBe(2);
  shell.robot.socket.close(1000, 'exit 0');
  await shell.viewer.closed;
  await expect.poll(async () => (await told(world)).length).toBe(2);
  const common = {
    actor_kind: 'user',
    actor_id: user.id,
    token_id: issued.id,
    request_id: 'shell-1',
    object_kind: 'robot',
    object_id: robot.id,
  };
  const session_id = shell.open.session_id;
  const [began, ended] = await told(world);
  expect(began).toMatchObject({ ...common, operation: 'openShell', after: { session_id } });
  expect(ended).toMatchObject({
    ...common,
    operation: 'closeShell',
    after: { session_id, seconds: expect.any(Number), bytes_from_viewer: 3, bytes_to_viewer: 5, code: 1000 },
  });
});
