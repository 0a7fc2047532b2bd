import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRedactionEngine } from '../../src/log-redactions/service.ts';
import { createLogIngest } from '../../src/logs/service.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { logWorldOn, records, sendTo } from '../logs/support.ts';
import { factories } from '../support/factories.ts';
import { logRobot } from '../support/log-robot.ts';
import { redactionThread } from '../support/service.ts';
import { until } from '../support/until.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const robotOf = async (world: World, token?: string) => {
  const { robot_id: id, robot_token } = (await factories(world).robot(
    undefined,
    token === undefined ? undefined : await factories(world).key({}, token),
  )) as Record<string, string>;
  const robot = await logRobot(world.url, robot_token ?? '');
  return { id, robot, [Symbol.dispose]: () => robot[Symbol.dispose]() };
};

const messages = async (world: World, id: string | undefined, token = world.orgToken) =>
  ((await world.call('GET', `/api/robots/${id}/logs?limit=1000`, { token })).body.items as { message: string }[]).map(
    ({ message }) => message,
  );

test('records wait until the rules of their org are known, which are read once, and are stored in order', async () => {
  await using world = await startIsolatedWorld();
  using link = await robotOf(world);
  const { id, robot } = link;
  await factories(world).redaction({ name: 'code', pattern: 'code [0-9]+' });
  const block = async () => {
    const blocker = await world.db.transaction();
    await blocker.raw('lock table log_redactions in access exclusive mode');
    return blocker;
  };
  const blocker = await block();
  const all = Array.from({ length: 400 }, (_each, index) => `line ${index}, code ${index}`);
  const said = robot.say(...all); // three frames
  await sleep(1_500); // longer than records are gathered
  const early = await world.count('log_chunks');
  await blocker.rollback();
  await said;
  expect(early).toBe(0);
  expect(await messages(world, id)).toEqual(all.map((_each, index) => `line ${index}, [redacted: code]`));
  // Now that they are known, they are not read again, unless hints may have been lost meanwhile.
  const isStoredUnread = async () => {
    const another = await block();
    const stored = robot.say('one more, code 400').then(() => true);
    const isUnread = await Promise.race([stored, sleep(2_000, false)]);
    await another.rollback();
    await stored;
    return isUnread;
  };
  await expect.poll(isStoredUnread).toBe(true);
  expect((await messages(world, id)).at(-1)).toBe('one more, [redacted: code]');
});

/** Takes the square of the length of a text: 16 KiB of the letter a take more than 10 s. */
const slowPattern = 'a(?:.*bb|)';

/** Gives the org a rule that the service does not accept: one that it accepted is replaced by it. */
async function haveRule(world: World, pattern: string): Promise<void> {
  let heard = 0;
  world.bus.subscribe({
    hint: (hint) => void (heard += hint.topic === 'redactions_changed' && hint.orgId === world.orgId ? 1 : 0),
    reset: () => undefined,
  });
  await factories(world).redaction();
  await until(() => heard >= 2); // at once, and over the bus: the rules are read again after each
  await world.db('log_redactions').where({ org_id: world.orgId, builtin: false }).update({ pattern });
}

/** The engine alone. */
const startEngine = (world: World, lines: string[] = []) =>
  createRedactionEngine({
    db: world.db,
    bus: world.bus,
    log: createLogger('info', [], (line) => void lines.push(line)),
    threadFile: redactionThread,
    onWithheld: () => undefined,
  });

test('records on which the rules of their org take too long are stored without what they say, and those behind them are not tried', async () => {
  await using world = await startIsolatedWorld();
  using slow = await robotOf(world);
  using behind = await robotOf(world);
  await haveRule(world, slowPattern);

  let longestMs = 0;
  let lastMs = performance.now();
  const beat = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);
  const long = { message: 'a'.repeat(16_384), fields: { token: randomUUID() } };
  await Promise.all([slow.robot.say(long, 'short'), behind.robot.say(long)]);
  clearInterval(beat);
  await slow.robot.say('the next one');

  const withheld = '[withheld: the log redaction rules of the org took too long]';
  expect(await messages(world, slow.id)).toEqual([withheld, withheld, withheld]);
  expect(await messages(world, behind.id)).toEqual([withheld]);
  const { text } = await world.call('GET', `/api/robots/${slow.id}/logs`);
  expect(JSON.parse(text).items[0]).toMatchObject({ redacted: true, fields_dropped: true });
  // The search takes more than 4 s of its thread. Here, a busy machine takes a part of a second now and then.
  expect(longestMs).toBeLessThan(2_000);
  expect(world.lines.filter((line) => line.includes('log redaction rules took too long'))).toHaveLength(1);
});

test('records of an org wait for one frame of an org whose rules are slow, and not for those behind it', async () => {
  await using world = await startIsolatedWorld();
  const other = await factories(world).org();
  await factories(world).redaction({ name: 'code', pattern: 'code [0-9]+' }, other.token);
  await haveRule(world, slowPattern);
  const engine = startEngine(world);
  const done: string[] = [];
  const prepare = async (orgId: string, message: string) => {
    const { redacted } = await engine.prepare(orgId, [{ message }]);
    done.push(orgId === other.id ? (redacted[0]?.message ?? message) : 'slow');
  };
  await Promise.all([prepare(world.orgId, 'short'), prepare(other.id, 'code 1')]); // the rules are known from here on
  const slow = Array.from({ length: 3 }, () => prepare(world.orgId, 'a'.repeat(2_500)));
  await Promise.all([...slow, prepare(other.id, 'code 2')]);
  expect(done.slice(2)).toEqual(['slow', '[redacted: code]', 'slow', 'slow']);
  await engine.stop();
});

test('records are stored without what they say if the rules of their org fail, which is not for being slow', async () => {
  await using world = await startIsolatedWorld();
  using link = await robotOf(world);
  await haveRule(world, '(');
  await link.robot.say('a secret');
  expect(await messages(world, link.id)).toEqual(['[withheld: the log redaction rules of the org failed]']);
  expect(world.lines.join('\n')).toContain('log redaction rules failed');
});

test('records to which rules are applied while the service stops are refused', async () => {
  await using world = await startIsolatedWorld();
  await factories(world).redaction();
  const lines: string[] = [];
  const engine = startEngine(world, lines);
  const prepared = engine.prepare(world.orgId, [{ message: 'a secret' }]);
  await engine.stop();
  await expect(prepared).rejects.toThrow('the service stops');
  expect(lines).toEqual([]);
});

test('fields of records that wait for the rules of their org count as text that waits', async () => {
  await using logs = await logWorldOn(await startIsolatedWorld());
  const { world } = logs;
  await factories(world).redaction();
  const engine = startEngine(world);
  const { db } = world;
  const ingest = createLogIngest({ db, log: createLogger('silent'), redaction: engine, maxWaitingLength: 20_000 });
  const sent = records(1, 3, { message: 'short', fields: { long: 'x'.repeat(8_000) } });
  const links = [await logs.robot(), await logs.robot()] as const;
  const outcomes = await Promise.all(links.map((link) => sendTo(ingest, link, sent)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'failed']);
  expect(await sendTo(ingest, await logs.relink(links[1]), sent)).toMatchObject({ kind: 'stored', seq: 3 });
  await ingest.close();
  await engine.stop();
});

test('no part of a secret at the end of a long message is stored', async () => {
  await using world = await startIsolatedWorld();
  using link = await robotOf(world);
  const { id, robot } = link;
  const token = `svc_robot_${'a1'.repeat(32)}`;
  const key = `-----BEGIN PRIVATE KEY-----\n${'MIIE\n'.repeat(4_000)}`;
  await factories(world).redaction({ name: 'code', pattern: 'code [0-9]+ and' });
  const long = (before: string, length: number) => before.padEnd(length, '.');
  await robot.say(
    `${long('', 16_350)}${token} and more`,
    `${long('', 16_380)}code ${'7'.repeat(2_000)} and more`,
    `${long(key + '-----END PRIVATE KEY-----', 24_560)}${token}`,
  );
  const [first, second, third] = await messages(world, id);
  expect(first).toBe(`${long('', 16_350)}[redacted: service-token] and more`);
  expect(second).toBe(`${long('', 16_380)}[red`);
  expect(third).toMatch(/^\[redacted: private-key\]\.*$/);
});

test('fields that replacements make too large are dropped, and the message is cut', async () => {
  await using world = await startIsolatedWorld();
  using link = await robotOf(world);
  const { id, robot } = link;
  await factories(world).redaction({ name: 'dot', pattern: '[.]', replacement: 'x'.repeat(200) });
  await robot.say({ message: '.'.repeat(16_384), fields: { dots: '.'.repeat(100) } });
  const { body } = await world.call('GET', `/api/robots/${id}/logs`);
  expect(body.items[0]).toMatchObject({
    message: 'x'.repeat(16_384),
    truncated: true,
    redacted: true,
    fields_dropped: true,
  });
  expect(body.items[0].fields).toBeUndefined();
});

test('a test of a rule that takes too long with the other rules is refused, and no change of a rule waits for it', async () => {
  await using world = await startIsolatedWorld();
  const other = await factories(world).org();
  await haveRule(world, slowPattern);
  let isEnded = false;
  const slow = world
    .call('POST', '/api/log-redactions/test', { body: { pattern: 'code', messages: ['a'.repeat(16_384)] } })
    .finally(() => (isEnded = true));
  // The first may be checked before the test begins.
  for (let created = 0; created < 3; created += 1) await factories(world).redaction({}, other.token);
  expect(isEnded).toBe(false); // it takes more than 4 s
  const { status, body } = await slow;
  expect([status, body.error.message]).toEqual([
    400,
    'body.pattern: takes more than 2 s on these messages, together with the other rules of the org; records like them would be stored without message and fields',
  ]);
});
