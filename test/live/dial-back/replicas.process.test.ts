import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { clusterGrants } from '../../../src/platform/cluster/grants.ts';
import { FastPathClient } from '../../../src/platform/db/client.ts';
import { dialBack, nextOpen, openShell, openStream, shellAgent, shellOf } from '../../support/dial-back.ts';
import { factories } from '../../support/factories.ts';
import { allFull, flood, heldBytes, mib } from '../../support/flood.ts';
import { freePort } from '../../support/free-port.ts';
import { clusterOf, clusterSecret, startReplica, startReplicas } from '../../support/replicas.ts';
import { testWith } from '../../support/tools.ts';
import { wrongClock } from '../../support/wrong-clock.ts';
import { robotsOf } from '../../support/robots.ts';
import { startIsolatedWorld, type World } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';

const idOf = async (world: World, url: string) =>
  (await world.db('replicas').where({ url }).pluck<string[]>('id'))[0] ?? '';

test('viewer, link and dial-back may land on three replicas: bytes pass as they are, and both ends hear of each other', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 3);
  const [atViewer, atLink, atDial] = all;
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(atLink.url, robot.robot_token);
  const shell = () =>
    openShell(atViewer.url, agent, robot.robot_id, world.orgToken, {
      agentUrl: atDial.url,
      protocol: 'fleet.shell.v1',
    });
  using first = await shell();
  const much = Array.from({ length: 60 }, () => randomBytes(60_000));
  for (const piece of much) {
    first.robot.socket.send(piece);
    first.viewer.socket.send(piece);
  }
  first.viewer.socket.send('{"type":"eof"}');
  await expect.poll(() => first.robot.frames.at(-1)).toBe('{"type":"eof"}');
  expect(first.robot.bytes().equals(Buffer.concat(much))).toBe(true);
  first.robot.socket.close(1000, 'exit 3');
  expect(await first.viewer.closed).toEqual({ code: 1000, reason: 'exit 3' });
  expect(first.viewer.bytes().equals(Buffer.concat(much))).toBe(true);

  using second = await shell();
  second.viewer.socket.close(1000);
  expect((await second.robot.closed).code).toBe(1000);
  using third = await shell();
  third.robot.socket.terminate();
  expect(await third.viewer.closed).toEqual({ code: 4503, reason: 'the connection to the robot was lost' });
  // It is told once the viewer is gone, not before.
  const told = async () => (await world.call('GET', '/api/audit?operation=closeShell')).body.items;
  await expect.poll(told).toHaveLength(3);
  expect((await told())[0]).toMatchObject({ object_id: robot.robot_id, after: { bytes_to_viewer: 3_600_000 } });
});

test('a viewer that stops reading at one replica stops the robot at the other: neither keeps what it says, and nothing is lost', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 2);
  const [atViewer, atRobot] = all;
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(atRobot.url, robot.robot_token);
  const shell = () => openShell(atViewer.url, agent, robot.robot_id, world.orgToken, { agentUrl: atRobot.url });
  using stopped = await shell();
  using busy = await shell();
  const held = () => Promise.all([heldBytes(atViewer.url), heldBytes(atRobot.url)]);
  const [nearBefore, farBefore] = await held();
  stopped.viewer.socket.pause();
  const flooding = flood(stopped.robot.socket);
  await allFull([flooding]);
  busy.robot.socket.send('still here');
  await expect.poll(() => busy.viewer.frames.at(-1)).toBe('still here');
  await expect
    .poll(async () => {
      const [near, far] = await held();
      return Math.max(near - nearBefore, far - farBefore);
    })
    .toBeLessThan(2 * mib);
  flooding.stop();
  stopped.viewer.socket.resume();
  stopped.robot.socket.send('end');
  await expect.poll(() => stopped.viewer.frames.at(-1)).toBe('end');
  expect(stopped.viewer.byteCount()).toBe(flooding.taken());
});

test('secrets, refusals, an agent that does not come and a viewer that leaves: all of it from replica to replica', async () => {
  await using world = await startIsolatedWorld({ env: clusterOf(await freePort()) });
  await using other = await startReplica(world);
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(other.url, robot.robot_token);
  await using near = await startIsolatedWorld({
    shares: world,
    env: clusterOf(0),
    viewerLimits: { openWithinMs: 3_000 },
  });
  const view = (options: object = {}) =>
    openStream(shellOf(near.url, robot.robot_id), { token: world.orgToken, ...options });

  using refused = await view();
  agent.send({ type: 'refused', session_id: (await nextOpen(agent)).session_id, reason: 'busy' });
  expect(await refused.closed).toEqual({ code: 4429, reason: 'the robot has reached its limit of streams' });

  using waiting = await view();
  const late = await nextOpen(agent);
  expect(await waiting.closed).toMatchObject({ code: 4503, reason: 'the robot did not open the stream in time' });
  expect(await agent.next('close')).toMatchObject({ session_id: late.session_id });

  using leaving = await view();
  const left = await nextOpen(agent);
  leaving.socket.close(1000);
  expect(await agent.next('close')).toMatchObject({ session_id: left.session_id });
});

test('a secret is judged where its session is: used, wrong and stolen ones are refused elsewhere too', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 2);
  const [one, two] = all;
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(one.url, robot.robot_token);
  using viewer = await openStream(shellOf(one.url, robot.robot_id), { token: world.orgToken });
  const open = await nextOpen(agent);
  await expect(openStream(`${two.url}${open.path}`, { token: 'ab'.repeat(32) })).rejects.toMatchObject({ status: 401 });
  await expect(openStream(`${two.url}${open.path}`, { token: robot.robot_token })).rejects.toMatchObject({
    status: 403,
  });
  using stream = await dialBack(two.url, open);
  for (const each of [one, two]) await expect(dialBack(each.url, open)).rejects.toMatchObject({ status: 401 });
  expect(stream.headers['x-service-org-id']).toBe(world.orgId);
  stream.socket.send('here');
  await expect.poll(() => viewer.frames).toEqual(['here']);
  expect(one.stdout() + two.stdout()).not.toContain(open.secret);
});

test('a crowd that dials back to replicas that never were costs the database a handful of statements', async () => {
  await using world = await startIsolatedWorld();
  using sent = vi.spyOn(FastPathClient.prototype, 'send');
  const knock = () => openStream(`${world.url}/agent/streams/${newId()}/${newId()}`, { token: 'x' });
  const startedAt = performance.now();
  const refused = await Promise.allSettled(Array.from({ length: 300 }, knock));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const each of refused) expect(each).toMatchObject({ status: 'rejected', reason: { status: 401 } });
  const asked = sent.mock.calls.filter(([, builder]) => builder.toSQL().sql.includes('url from replicas where'));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThan(10 * seconds + 3); // one in 100 ms at most
});

test('a replica that stops or dies in the middle ends what passed through it so that it can be resumed', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 3);
  const [atViewer, atLink, atDial] = all;
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(atLink.url, robot.robot_token);
  const shell = (agentUrl: string) => openShell(atViewer.url, agent, robot.robot_id, world.orgToken, { agentUrl });
  using through = await shell(atDial.url);
  using direct = await shell(atViewer.url);
  await atDial.end('SIGINT');
  expect((await through.robot.closed).code).toBe(1012);
  expect((await through.viewer.closed).code).toBe(1012);
  // The replica of the link is not on the way.
  using across = await shell(atLink.url);
  await atViewer.end('SIGKILL');
  expect((await across.robot.closed).code).toBe(1012);
  expect((await direct.robot.closed).code).toBe(1006);
  expect((await across.viewer.closed).code).toBe(1006);
});

test('a right that is lost ends a stream across replicas promptly', async () => {
  await using world = await startIsolatedWorld();
  await using all = await startReplicas(world, 2);
  const [one, two] = all;
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(two.url, robot.robot_token);
  const user = await factories(world).user('operator');
  const { id, value } = (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  using shell = await openShell(one.url, agent, robot.robot_id, value, { agentUrl: two.url });
  const startedAt = performance.now();
  await world.call('POST', `/api/tokens/${id}/revoke`);
  expect((await shell.viewer.closed).code).toBe(4401);
  expect((await shell.robot.closed).code).toBe(4403);
  expect(performance.now() - startedAt).toBeLessThan(promptMs);
});

test('replicas that do not know how to reach each other say so, at once', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(other.url, robot.robot_token);
  const unreachable = {
    status: 503,
    retryAfter: '1',
    message: expect.stringContaining('set SERVICE_REPLICA_URL and SERVICE_CLUSTER_SECRET'),
  };
  await expect(openStream(shellOf(world.url, robot.robot_id), { token: world.orgToken })).rejects.toMatchObject(
    unreachable,
  );
  using viewer = await openStream(shellOf(other.url, robot.robot_id), { token: world.orgToken });
  const open = await nextOpen(agent);
  await expect(dialBack(world.url, open)).rejects.toMatchObject(unreachable);
  using stream = await dialBack(other.url, open);
  stream.socket.send('x');
  await expect.poll(() => viewer.frames).toEqual(['x']);
  // There are no paths for replicas then.
  await expect(openStream(`${world.url}/internal/streams/x`, { token: 'x' })).rejects.toMatchObject({ status: 401 });
});

test('a replica that does not answer costs the viewer three seconds, and a sentence', async () => {
  await using world = await startIsolatedWorld({ env: clusterOf(0) });
  const robot = await robotsOf(world).enroll();
  await using dead = await startReplica(world);
  using agent = await shellAgent(dead.url, robot.robot_token);
  dead.child.kill('SIGSTOP');
  const startedAt = performance.now();
  using viewer = await openStream(shellOf(world.url, robot.robot_id), { token: world.orgToken });
  expect(await viewer.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('does not respond') });
  expect(performance.now() - startedAt).toBeLessThan(3_000 + promptMs);
  expect(agent.socket.readyState).toBe(1);
});

test('replicas that got different secrets refuse each other, and the logs of both say why, once', async () => {
  await using world = await startIsolatedWorld({ env: clusterOf(0) });
  await world.db('replicas').update({ secret_marks: null }); // as by an earlier release: else the other one would not start
  const env = { ...clusterOf(0), SERVICE_CLUSTER_SECRET: `another-${clusterSecret}` };
  await using other = await startIsolatedWorld({ shares: world, env });
  await other
    .db('replicas')
    .update({ url: other.url })
    .where({ id: await newestReplica(other) });
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(other.url, robot.robot_token);
  for (let tries = 0; tries < 2; tries += 1) {
    using viewer = await openStream(shellOf(world.url, robot.robot_id), { token: world.orgToken });
    expect((await viewer.closed).code).toBe(1013);
  }
  const told = ({ lines }: World, text: string) => lines.filter((line) => line.includes(text));
  expect(told(world, 'another replica rejects the requests of this one')).toHaveLength(1);
  expect(told(other, 'signed with a different SERVICE_CLUSTER_SECRET')).toHaveLength(1);
  expect([...world.lines, ...other.lines].join()).not.toContain(clusterSecret);
  expect(agent.frames.map(({ type }) => type)).toEqual(['welcome']);
});

testWith('faketime')('a stream passes between replicas whose clocks are an hour off', async () => {
  await using world = await startIsolatedWorld();
  await using ahead = await wrongClock('+1h');
  await using behind = await wrongClock('-1h');
  await using atViewer = await startReplica(world, ahead.env);
  await using atLink = await startReplica(world, behind.env);
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(atLink.url, robot.robot_token);
  using shell = await openShell(atViewer.url, agent, robot.robot_id, world.orgToken, {
    agentUrl: atLink.url,
    protocol: 'fleet.shell.v1',
  });
  shell.viewer.socket.send(Buffer.from('typed'));
  await expect.poll(() => shell.robot.bytes().toString()).toBe('typed');
});

test('the paths of replicas take what is signed for them, once and in time, and nothing else', async () => {
  await using world = await startIsolatedWorld({ env: clusterOf(0) });
  await using replica = await startReplica(world);
  const to = await idOf(world, replica.url);
  const robot = await robotsOf(world).enroll();
  using agent = await shellAgent(replica.url, robot.robot_token);
  const session = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';
  const path = `/internal/asks/${robot.robot_id}`;
  const facts = { session };
  const ours = clusterGrants('me', [clusterSecret], Date.now);
  const knock = (grant: string | undefined, at = path) =>
    openStream(`${replica.url}${at}`, grant === undefined ? {} : { token: grant });
  const good = ours.sign(to, path, facts);
  const flipped = good.slice(0, 20) + (good[20] === 'A' ? 'B' : 'A') + good.slice(21);
  const refused: [string, string | undefined][] = [
    ['nothing', undefined],
    ['a token of the org', world.orgToken],
    ['a text', 'cluster.e30.x'],
    ['another secret', clusterGrants('me', [`${clusterSecret}x`], Date.now).sign(to, path, facts)],
    ['another replica', ours.sign('0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61', path, facts)],
    ['another path', ours.sign(to, '/internal/asks/x', facts)],
    ['an old one', clusterGrants('me', [clusterSecret], () => Date.now() - 31_000).sign(to, path, facts)],
    ['one of a clock far ahead', clusterGrants('me', [clusterSecret], () => Date.now() + 90_000).sign(to, path, facts)],
    ['a changed one', flipped],
  ];
  for (const [what, grant] of refused) await expect(knock(grant), what).rejects.toMatchObject({ status: 401 });
  using asked = await knock(good);
  await expect(knock(good)).rejects.toMatchObject({ status: 401 });
  asked.socket.send(JSON.stringify({ type: 'close', session_id: session }));
  expect((await asked.closed).code).toBe(1008); // it asks for streams, and carries nothing else to an agent
  using noise = await knock(ours.sign(to, path, facts));
  noise.socket.send('{');
  expect((await noise.closed).code).toBe(1008);
  expect(agent.frames.map(({ type }) => type)).toEqual(['welcome']);
  expect(JSON.stringify((await world.call('GET', '/openapi.json', { token: '' })).body)).not.toContain('/internal');
  expect(replica.stdout()).not.toContain(clusterSecret);
});

const newestReplica = async ({ db }: World): Promise<string> =>
  (await db('replicas').orderBy('started_at', 'desc').pluck<string[]>('id'))[0] ?? '';
