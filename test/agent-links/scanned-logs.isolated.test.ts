import { expect, test } from 'vitest';
import type { LogSink } from '../../src/agent-links/service.ts';
import { scanLogs } from '../../src/logs/frame-scanner.ts';
import { connectAgent, linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld } from '../support/world.ts';

const record = { ts: '2026-11-21T09:00:00.000Z', level: 'warn', source: 'journal', message: 'é "quoted"\n🤖' };
const frameOf = (spool: string, from: number, to: number) => ({
  type: 'logs',
  spool,
  from_seq: from,
  to_seq: to,
  records: Array.from({ length: to - from + 1 }, (_each, index) => ({ seq: from + index, ...record })),
});

test('a frame in the common form reaches the log store scanned, and any other parsed', async () => {
  const frames: Parameters<LogSink['accept']>[1][] = [];
  await using world = await startIsolatedWorld({
    logs: {
      scan: scanLogs,
      accept(_link, frame, done) {
        frames.push(frame);
        done({ kind: 'stored', spool: frame.spool, seq: 1 });
      },
      close: async () => undefined,
    },
  });
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  const frame = frameOf('s', 1, 1);
  agent.send(JSON.stringify(frame));
  agent.send(JSON.stringify(frame, null, 1));
  await agent.next('logs_ack');
  await agent.next('logs_ack');
  expect(frames).toEqual([
    { spool: 's', seqs: [1], records: [{ json: JSON.stringify(record), level: 'warn' }] },
    frame,
  ]);
});

test('scanned and parsed records are stored alike, and skipped, acknowledged and counted alike', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  const answers = async (text: string) => {
    const before = agent.frames.length;
    agent.send(text);
    await agent.next('logs_ack');
    return agent.frames.slice(before);
  };
  const ack = { type: 'logs_ack', spool: 's', seq: 4 };
  expect(await answers(JSON.stringify(frameOf('s', 1, 2)))).toEqual([{ ...ack, seq: 2 }]);
  expect(await answers(JSON.stringify(frameOf('s', 3, 4), null, 1))).toEqual([ack]);
  const skipped = { type: 'logs_skipped', spool: 's', from_seq: 2, to_seq: 3, reason: 'number_passed' };
  expect(await answers(JSON.stringify(frameOf('s', 2, 3)))).toEqual([skipped, ack]);
  expect(await answers(JSON.stringify(frameOf('s', 2, 3), null, 1))).toEqual([skipped, ack]);
  const { items } = (await world.call('GET', `/api/robots/${robot.robot_id}/logs`)).body;
  expect(items).toEqual([1, 2, 3, 4].map((seq) => expect.objectContaining({ seq, ...record }) as unknown));
  const { text } = await world.call('GET', '/metrics', { token: '' });
  expect(text).toContain('fleet_agent_frames_total{type="logs"} 4\n');
  expect(text).toContain('\nfleet_log_records_skipped_total 4\n');
});

test('a scanned frame keeps the rules of the link', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  using early = await connectAgent(world.url, (await robots.enroll()).robot_token);
  early.send(frameOf('s', 1, 1));
  expect(await early.closed).toEqual({ code: 1008, reason: 'first frame must be hello' });

  using agent = await linkedAgent(world.url, (await robots.enroll()).robot_token);
  for (let spool = 1; spool <= 17; spool += 1) agent.send(frameOf(`s${spool}`, 1, 1));
  expect(await agent.closed).toEqual({ code: 1008, reason: 'logs/spool: more than 16 on one link' });

  using wrong = await linkedAgent(world.url, (await robots.enroll()).robot_token);
  wrong.send({ ...frameOf('s', 1, 2), to_seq: 3 });
  expect(await wrong.closed).toMatchObject({ code: 1008 });
});
