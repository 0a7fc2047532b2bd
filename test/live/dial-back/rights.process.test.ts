import { expect, test } from 'vitest';
import { openShell, openStream, shellAgent, shellOf, type Stream } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { robotsOf } from '../../support/robots.ts';
import { startServer } from '../../support/server-process.ts';
import { replicaBeside, startIsolatedWorld, startWorld, type World } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';

async function linkedRobot(world: World, name = 'amr-1') {
  const robot = await robotsOf(world).enroll(name);
  const agent = await shellAgent(world.url, robot.robot_token);
  return { id: robot.robot_id, agent, [Symbol.dispose]: () => agent.socket.terminate() };
}

async function operator(world: World, email = 'operator@example.com') {
  const user = await factories(world).user('operator', email);
  const { id, value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  return { userId: user.id as string, tokenId: id as string, token: value as string };
}

/** Both ends are over within two seconds: the viewer's finally, the robot's so that nothing of it waits to be resumed. */
async function expectCut(shell: { viewer: Stream; robot: Stream }, code: number, startedAt: number): Promise<void> {
  expect((await shell.viewer.closed).code).toBe(code);
  expect((await shell.robot.closed).code).toBe(4403);
  expect(performance.now() - startedAt).toBeLessThan(promptMs);
}

test('a right that is lost in mid-stream ends it promptly, whichever right it is', async () => {
  await using world = await startIsolatedWorld();
  await using elsewhere = await startIsolatedWorld({ shares: world });
  using robot = await linkedRobot(world);
  const [first, second, third] = [
    await operator(world, 'a@example.com'),
    await operator(world, 'b@example.com'),
    await operator(world, 'c@example.com'),
  ];
  const shellOfToken = (token: string) => openShell(world.url, robot.agent, robot.id, token);
  using mine = await shellOfToken(first.token);
  using lowered = await shellOfToken(second.token);
  using removed = await shellOfToken(third.token);
  using kept = await shellOfToken(world.orgToken);
  // Another replica hears it from the bus.
  for (const [shell, change] of [
    [mine, () => elsewhere.call('POST', `/api/tokens/${first.tokenId}/revoke`)],
    [lowered, () => elsewhere.call('PATCH', `/api/users/${second.userId}`, { body: { role: 'viewer' } })],
    [removed, () => world.call('DELETE', `/api/users/${third.userId}`)],
  ] as const) {
    const startedAt = performance.now();
    expect((await change()).status).toBe(200);
    await expectCut(shell, 4401, startedAt);
  }
  kept.viewer.socket.send('still here');
  await expect.poll(() => kept.robot.frames).toEqual(['still here']);
  const startedAt = performance.now();
  await world.call('POST', `/api/admin/orgs/${world.orgId}/suspend`, { token: world.adminToken });
  await expectCut(kept, 4401, startedAt);
});

test('a robot that is removed takes its streams along', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  using other = await linkedRobot(world, 'amr-2');
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  using kept = await openShell(world.url, other.agent, other.id, world.orgToken);
  const startedAt = performance.now();
  await world.call('DELETE', `/api/robots/${robot.id}`);
  await expectCut(shell, 4404, startedAt);
  expect(kept.viewer.socket.readyState).toBe(1);
});

test('who lost the right types nothing more, however slowly it closes', async () => {
  await using world = await startWorld();
  using robot = await linkedRobot(world);
  const { token, tokenId } = await operator(world);
  using shell = await openShell(world.url, robot.agent, robot.id, token);
  // A client that does not answer the close, and types on.
  shell.viewer.socket.close = () => undefined;
  await world.call('POST', `/api/tokens/${tokenId}/revoke`);
  expect((await shell.robot.closed).code).toBe(4403);
  expect(shell.robot.frames).toEqual([]);
  const closed = shell.viewer.closed.then(() => performance.now());
  const startedAt = performance.now();
  const typing = setInterval(() => shell.viewer.socket.send('rm -rf /\n', () => undefined), 20);
  expect((await closed) - startedAt).toBeLessThan(5_000 + promptMs);
  clearInterval(typing);
  expect(shell.robot.frames).toEqual([]);
  await expect
    .poll(async () => (await world.call('GET', '/api/audit?operation=closeShell')).body.items[0]?.after)
    .toMatchObject({ bytes_from_viewer: 0 });
});

test('there may be so many streams of a token, a robot and an org; one more is told to come later', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { perToken: 2, perRobot: 3, perOrg: 4 } });
  using one = await linkedRobot(world, 'one');
  using two = await linkedRobot(world, 'two');
  const a = await operator(world, 'a@example.com');
  const b = await operator(world, 'b@example.com');
  const open = (robot: { id: string }, token: string) => openStream(shellOf(world.url, robot.id), { token });
  const isFull = (words: string) => ({ status: 429, retryAfter: '10', message: expect.stringContaining(words) });
  const streams = [await open(one, a.token), await open(one, a.token)];
  await expect(open(two, a.token)).rejects.toMatchObject(isFull('this token has 2'));
  streams.push(await open(one, b.token));
  await expect(open(one, world.orgToken)).rejects.toMatchObject(isFull('this robot has 3'));
  streams.push(await open(two, b.token));
  await expect(open(two, world.orgToken)).rejects.toMatchObject(isFull('the org has 4'));
  // Those of another org are not counted with them, and a place that is left is free.
  for (const each of streams) {
    each.socket.close(1000);
    await each.closed;
  }
  const crowd = await Promise.allSettled(Array.from({ length: 12 }, () => open(one, a.token)));
  const let_in = crowd.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  await expect.poll(() => let_in.filter(({ socket }) => socket.readyState === 1).length).toBe(2);
  const refused = await Promise.all(let_in.filter(({ socket }) => socket.readyState !== 1).map(({ closed }) => closed));
  expect(refused.every(({ code }) => code === 4429)).toBe(true);
  for (const each of let_in) each.socket.terminate();
});

test('a service that stops ends streams with 1012, so that they go on elsewhere, and tells their end in the audit log', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  await using server = await startServer(replicaBeside(world));
  using agent = await shellAgent(server.url, robot.robot_token);
  using shell = await openShell(server.url, agent, robot.robot_id, world.orgToken);
  using waiting = await openStream(shellOf(server.url, robot.robot_id), { token: world.orgToken });
  const ended = server.end('SIGINT');
  expect(await shell.viewer.closed).toEqual({ code: 1012, reason: 'the service is stopping' });
  expect((await waiting.closed).code).toBe(1012);
  expect((await shell.robot.closed).code).toBe(1012);
  expect(await ended).toBe(0);
  const told = (await world.call('GET', '/api/audit?operation=closeShell')).body.items;
  expect(told).toMatchObject([{ after: { session_id: shell.open.session_id, code: 1012 } }]);
});
