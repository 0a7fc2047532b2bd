import { expect, test, vi } from 'vitest';
import { FastPathClient } from '../../../src/platform/db/client.ts';
import { factories } from '../../support/factories.ts';
import { logRobot } from '../../support/log-robot.ts';
import { viewLogs, type LogViewer } from '../../support/log-viewer.ts';
import { robotsOf } from '../../support/robots.ts';
import { startServer } from '../../support/server-process.ts';
import { replicaBeside, startIsolatedWorld, startWorld } from '../../support/world.ts';
import { promptMs } from '../../support/until.ts';
import { tellsHeldBytes, usedBytes } from '../../support/flood.ts';

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `line ${from + index}`);

test.each(['the same replica', 'another replica'])(
  'what is stored and what comes are joined without a gap and without a double, over %s',
  async (where) => {
    await using world = await startIsolatedWorld();
    await using other = await startIsolatedWorld({ shares: world });
    const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
    using robot = await logRobot(world.url, token);
    await robot.say(...numbered(5));
    const saying = (async () => {
      for (let from = 6; from < 2_000; from += 105) await robot.say(...numbered(105, from));
    })();
    const place = where === 'another replica' ? other : world;
    const viewers = await Promise.all(
      Array.from({ length: 4 }, () => viewLogs(place.url, id, world.orgToken, 'tail=3')),
    );
    await saying;
    for (const viewer of viewers) {
      await expect.poll(() => viewer.messages().at(-1)).toBe('line 2000');
      const [first] = viewer.records;
      expect(viewer.records.map(({ seq }) => seq)).toEqual(
        Array.from({ length: 2_001 - (first?.seq ?? 0) }, (_, index) => (first?.seq ?? 0) + index),
      );
      viewer[Symbol.dispose]();
    }
  },
);

test('a reader gets what it asks for: a level, a source, a text, a time, or what follows a record', async () => {
  await using world = await startWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  await robot.say('old');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const since = new Date().toISOString();
  await robot.say(
    { message: 'Battery low', level: 'warn', source: 'power' },
    { message: 'goal reached', level: 'info', source: 'nav' },
    { message: 'e-stop', level: 'fatal', source: 'safety' },
  );
  const open = (query: string) => viewLogs(world.url, id, world.orgToken, query);
  using all = await open(`since=${since}`);
  using warn = await open('tail=100&level=warn');
  using nav = await open('tail=100&source=nav');
  using battery = await open('tail=100&q=BATTERY');
  using latest = await open('tail=1');
  using behind = await open('after=2');
  using onlyNew = await open('');
  await robot.say(
    { message: 'battery gone', level: 'error', source: 'power' },
    { message: 'stuck', level: 'debug', source: 'nav' },
  );
  const wanted: [typeof all, string[]][] = [
    [all, ['Battery low', 'goal reached', 'e-stop', 'battery gone', 'stuck']],
    [warn, ['Battery low', 'e-stop', 'battery gone']],
    [nav, ['old', 'goal reached', 'stuck']],
    [battery, ['Battery low', 'battery gone']],
    [latest, ['e-stop', 'battery gone', 'stuck']],
    [behind, ['goal reached', 'e-stop', 'battery gone', 'stuck']],
    [onlyNew, ['battery gone', 'stuck']],
  ];
  for (const [viewer, messages] of wanted) await expect.poll(viewer.messages).toEqual(messages);
});

test('a reader that stops reading is told how many records it was spared, and nobody else waits for it', async () => {
  await using world = await startWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  using slow = await viewLogs(world.url, id, world.orgToken);
  using fast = await viewLogs(world.url, id, world.orgToken);
  await robot.say('1 first');
  // Nobody is spared what he has to catch up on: both are live then.
  for (const { records } of [slow, fast]) await expect.poll(() => records.length).toBe(1);
  slow.socket.pause();
  const count = 16_001;
  const text = 'x'.repeat(1_500);
  for (let sent = 1; sent < count; sent += 500)
    await robot.say(...numbered(500, sent + 1).map((line) => `${line} ${text}`));
  await expect.poll(() => fast.records.length).toBe(count);
  expect(fast.records.some(({ type }) => type === 'gap')).toBe(false);
  slow.socket.resume();
  await expect.poll(() => slow.records.at(-1)?.seq).toBe(count);
  const gaps = slow.records.filter(({ type }) => type === 'gap');
  expect(gaps.length).toBeGreaterThan(0);
  const spared = gaps.reduce((sum, { dropped = 0 }) => sum + dropped, 0);
  expect(slow.records.length - gaps.length + spared).toBe(count);
  // Each gap says exactly what is missing at its place.
  let seq = 0;
  for (const record of slow.records) {
    expect(record.type === 'gap' ? record.from_seq : record.seq).toBe(seq + 1);
    seq = record.to_seq ?? record.seq;
  }
});

test('readers that ask for much and read none of it cost the service little', async () => {
  await using world = await startIsolatedWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  await using server = await startServer({ ...replicaBeside(world), ...tellsHeldBytes });
  using robot = await logRobot(server.url, token);
  const text = 'x'.repeat(1_500);
  for (let sent = 0; sent < 10_000; sent += 500)
    await robot.say(...numbered(500, sent + 1).map((line) => `${line} ${text}`));
  const readers: LogViewer[] = [];
  for (let count = 0; count < 20; count += 1) {
    const reader = await viewLogs(server.url, id, world.orgToken, 'tail=10000');
    reader.socket.pause();
    readers.push(reader);
  }
  await new Promise((resolve) => setTimeout(resolve, 2_000)); // until each has what it may hold
  // With all that they ask for it would be 600 MB.
  await expect.poll(() => usedBytes(server.url)).toBeLessThan(350 * 2 ** 20);
  const [first] = readers;
  first?.socket.resume();
  // 15 MB, while the service has the others to look after.
  await expect.poll(() => first?.records.length, { timeout: 120_000 }).toBe(10_000);
  expect(first?.records.map(({ seq }) => seq)).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  for (const reader of readers) reader[Symbol.dispose]();
});

test('logs of a robot that is away are refused with "agent offline", and a stream whose robot goes ends with that', async () => {
  await using world = await startWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  await expect(viewLogs(world.url, id, world.orgToken)).rejects.toThrow('409 agent offline');
  using robot = await logRobot(world.url, token);
  using viewer = await viewLogs(world.url, id, world.orgToken);
  robot.agent.socket.close(1000);
  expect(await viewer.closed).toEqual({ code: 4503, reason: 'agent offline' });
});

test('a database that is slow is asked once by each reader whether its robot is there, and not again meanwhile', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { onlineEveryMs: 10 } });
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  using viewer = await viewLogs(world.url, id, world.orgToken);
  const lock = await world.db.transaction();
  await lock.raw('lock table robots in access exclusive mode');
  using sent = vi.spyOn(FastPathClient.prototype, 'send');
  const asked = () => sent.mock.calls.filter(([, builder]) => /from "?robots"?/.test(builder.toSQL().sql)).length;
  await new Promise((resolve) => setTimeout(resolve, 500)); // that nothing is asked takes time to see
  await lock.rollback();
  expect(asked()).toBeLessThan(3);
  await expect.poll(asked).toBeGreaterThan(3);
  robot.agent.socket.close(1000);
  expect((await viewer.closed).code).toBe(4503);
});

test('whoever may not read the logs, or asks for what is not there, hears why before the upgrade', async () => {
  await using world = await startIsolatedWorld({ viewerLimits: { perToken: 1 } });
  await using stranger = await startWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  const theirs = await robotsOf(stranger).enroll();
  using robot = await logRobot(world.url, token);
  const refusal = (asWhom: string, query = '', whose = id) => viewLogs(world.url, whose, asWhom, query);
  await expect(refusal('svc_org_wrong')).rejects.toThrow(/^401 /);
  await expect(refusal(token)).rejects.toThrow(/^403 this takes tokens of the kind user, org$/);
  await expect(refusal(world.orgToken, '', theirs.robot_id)).rejects.toThrow('404 robot not found');
  await expect(refusal(world.orgToken, 'tail=10001')).rejects.toThrow('400 query.tail: ');
  await expect(refusal(world.orgToken, 'after=-1')).rejects.toThrow('400 query.after: ');
  await expect(refusal(world.orgToken, 'since=yesterday')).rejects.toThrow('400 query.since: ');
  await expect(refusal(world.orgToken, 'level=loud')).rejects.toThrow('400 query.level: ');
  await expect(refusal(world.orgToken, 'colour=red')).rejects.toThrow('400 query: unknown parameter "colour"');
  using one = await viewLogs(world.url, id, world.orgToken);
  await expect(refusal(world.orgToken)).rejects.toThrow('429 this token has 1 open live streams');
  await robot.say('still there');
  await expect.poll(one.messages).toEqual(['still there']);
  one.socket.send('let me in');
  expect(await one.closed).toEqual({ code: 1008, reason: 'this stream accepts no frames' });
});

test('the logs of a robot that is removed end also where nobody heard of it', async () => {
  await using world = await startWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  using viewer = await viewLogs(world.url, id, world.orgToken);
  // As where the hint of another replica was lost.
  await world.db('robots').where({ id }).delete();
  expect(await viewer.closed).toEqual({ code: 4404, reason: 'the robot was removed' });
  robot.agent.socket.terminate();
});

test('a stream ends when its token is revoked, and with 1012 when the service stops', async () => {
  await using world = await startIsolatedWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  const userToken = await factories(world).userToken('viewer');
  using revoked = await viewLogs(world.url, id, userToken);
  using staying = await viewLogs(world.url, id, world.orgToken);
  const whoami = await world.call('GET', '/api/whoami', { token: userToken });
  const began = performance.now();
  await world.call('POST', `/api/tokens/${whoami.body.data.token.id}/revoke`);
  expect((await revoked.closed).code).toBe(4401);
  expect(performance.now() - began).toBeLessThan(promptMs);
  await robot.say('on');
  await expect.poll(staying.messages).toEqual(['on']);
  void world.stop(0);
  expect((await staying.closed).code).toBe(1012);
});

test('a stream whose logs cannot be read is closed so that it is tried again, and the log of the service says why', async () => {
  await using world = await startIsolatedWorld();
  const { robot_token: token, robot_id: id } = await robotsOf(world).enroll();
  using robot = await logRobot(world.url, token);
  await robot.say('one');
  await world.db.raw('alter table log_chunks rename body to away');
  using viewer = await viewLogs(world.url, id, world.orgToken, 'tail=1');
  expect(await viewer.closed).toEqual({ code: 1013, reason: 'the logs cannot be read at the moment' });
  await world.db.raw('alter table log_chunks rename away to body');
  const told = world.lines.filter((line) => line.includes('live logs could not be read'));
  expect(told).toEqual([expect.stringContaining('body')]);
});
