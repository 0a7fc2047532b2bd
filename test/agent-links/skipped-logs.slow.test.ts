import { expect, test } from 'vitest';
import { serverFrames } from '../../generated/frames.js';
import { linkedAgent, type FakeAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, startWorld } from '../support/world.ts';

const logsOf = (from: number, to: number, spool = 'spool') => ({
  type: 'logs',
  spool,
  from_seq: from,
  to_seq: to,
  records: Array.from({ length: to - from + 1 }, (_each, index) => ({
    seq: from + index,
    message: `m${from + index}`,
  })),
});

/** What the service says of a frame, up to its acknowledgement. */
async function answersTo(agent: FakeAgent, frame: object) {
  const before = agent.frames.length;
  agent.send(frame);
  await agent.next('logs_ack');
  return agent.frames.slice(before);
}

const ack = (seq: number) => ({ type: 'logs_ack', spool: 'spool', seq });
const skipped = (from: number, to: number) => ({
  type: 'logs_skipped',
  spool: 'spool',
  from_seq: from,
  to_seq: to,
  reason: 'number_passed',
});

test('records below one that came before are named as skipped before they are acknowledged, and counted', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  agent.send(logsOf(5, 7));
  agent.send(logsOf(3, 4));
  agent.send(logsOf(6, 9));
  for (let frame = 1; frame <= 3; frame += 1) await agent.next('logs_ack');
  expect(agent.frames.slice(1)).toEqual([ack(9), skipped(3, 4), ack(9), skipped(6, 7), ack(9)]);
  expect(serverFrames.logs_skipped(skipped(3, 4))).toBe(true);
  const { items } = (await world.call('GET', `/api/robots/${robot.robot_id}/logs`)).body;
  expect(items.map(({ message }: { message: string }) => message)).toEqual(['m5', 'm6', 'm7', 'm8', 'm9']);
  expect(await (await fetch(`${world.url}/metrics`)).text()).toContain('\nfleet_log_records_skipped_total 4\n');
});

test('a spool that begins again at 1 is told on every link what was skipped of it, and a number above its own', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  using first = await linkedAgent(world.url, robot.robot_token);
  expect(await answersTo(first, logsOf(1, 10))).toEqual([ack(10)]);
  first.socket.close(1000);
  await first.closed;
  using second = await linkedAgent(world.url, robot.robot_token);
  expect(await answersTo(second, logsOf(1, 5))).toEqual([skipped(1, 5), ack(10)]);
  expect(await answersTo(second, logsOf(6, 12))).toEqual([skipped(6, 10), ack(12)]);
  expect(await answersTo(second, logsOf(13, 13))).toEqual([ack(13)]);
});
