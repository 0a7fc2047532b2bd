import { expect, test } from 'vitest';
import { limits } from '../../generated/protocol.js';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld } from '../support/world.ts';

const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`value_${at}`, at]));
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const tooLarge = (part: string) => ({ part, reason: 'too_large', message: expect.any(String) as string });
const long = (name: string) => ({ name, level: 'error', message: 'x'.repeat(256), hardware_id: 'y'.repeat(128) });
const items = Array.from({ length: 16 }, (_, at) => long(`part ${at}`));

test('the snapshot that a robot sends just before its link ends is stored, for its health and its conditions', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { flushEveryMs: 60_000 } });
  const rule = { name: 'stopped', expression: 'estop = true', severity: 'unhealthy', enabled: true };
  const robot = await robotsOf(world).enroll();
  {
    using agent = await linkedAgent(world.url, robot.robot_token);
    agent.send({ type: 'heartbeat', health: { estop: true } });
  }
  await expect.poll(async () => (await robotsOf(world).health(robot)).snapshot).toEqual({ estop: true });
  await world.call('POST', '/api/condition-rules', { body: rule });
  const conditions = async () => (await robotsOf(world).robot(robot)).conditions as unknown;
  await expect.poll(conditions).toContainEqual(expect.objectContaining({ name: 'stopped' }));
});

test('a faulty, deep or large part of a snapshot costs that part, and neither the link nor the other parts', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { flushEveryMs: 50 } });
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  let sent = 0;
  const stored = async (health: object | string) => {
    const text = typeof health === 'string' ? health : JSON.stringify(health);
    const marker = (sent += 1);
    agent.send(`{"type":"heartbeat","health":{"uptime_s":${marker},${text.slice(1)}}`);
    await expect.poll(async () => (await robotsOf(world).health(robot)).snapshot?.uptime_s).toBe(marker);
    const { snapshot } = await robotsOf(world).health(robot);
    expect(Buffer.byteLength(JSON.stringify(snapshot))).toBeLessThanOrEqual(limits.maxSnapshotBytes);
    delete snapshot.uptime_s;
    return snapshot;
  };

  // What an agent of an older release may have sent under names that the schema did not know then.
  expect(
    await stored({ cpu: { cores: 4 }, estop: 'yes', mission: 'dock', diagnostics: null, battery: { charging: 1 } }),
  ).toEqual({
    cpu: { cores: 4 },
    omitted: [
      { part: 'battery', reason: 'invalid', message: '/charging must be boolean' },
      { part: 'estop', reason: 'invalid', message: 'must be boolean' },
      { part: 'mission', reason: 'invalid', message: 'must be object' },
      { part: 'diagnostics', reason: 'invalid', message: 'must be object' },
    ],
  });
  expect(await stored({ estop: true, extra: { vendor: values(10_000) } })).toEqual({
    estop: true,
    omitted: [{ part: 'extra', reason: 'too_large', message: '177801 bytes; a snapshot has at most 16384' }],
  });
  const many = await stored({ estop: true, ...values(10_000) });
  expect(many).toMatchObject({ estop: true, omitted: Array.from({ length: 16 }, () => tooLarge(expect.any(String))) });
  expect(await stored({ estop: true, x: '💥'.repeat(4_097) })).toEqual({ estop: true, omitted: [tooLarge('x')] });
  expect(await stored(`{"estop":true,"extra":${nested(20_000)},"omitted":[${nested(10_000)}]}`)).toEqual({
    estop: true,
    omitted: [
      { part: 'omitted', reason: 'invalid', message: "/0 must have required property 'part'" },
      { part: 'extra', reason: 'too_deep', message: 'nested deeper than 64' },
    ],
  });
  // Parts of the schema that are too large together: the largest goes, and what the agent itself omitted stays named.
  const own = { part: 'extra', reason: 'too_large' };
  const unit = { level: 'error', items };
  expect(
    await stored({ estop: true, diagnostics: unit, extra: { unit, again: unit }, os: { distro: 'x' }, omitted: [own] }),
  ).toEqual({
    estop: true,
    diagnostics: unit,
    os: { distro: 'x' },
    omitted: [tooLarge('extra'), own],
  });
  const deep = `{"part":"p","reason":"r","more":${nested(20_000)}}`;
  expect(await stored(`{"estop":true,"omitted":[${deep}]}`)).toMatchObject({ omitted: [{ reason: 'too_deep' }] });

  const { text } = await world.call('GET', '/metrics', { token: '' });
  expect(text).toContain('fleet_agent_health_parts_omitted_total{reason="invalid"} 5');
  expect(text).toContain('fleet_agent_health_parts_omitted_total{reason="too_deep"} 2');
  expect(await robotsOf(world).story(robot)).not.toContain('disconnected refused');
});
