import { expect, test } from 'vitest';
import { agentFrames, serverFrames, type AgentFrame, type ServerFrame } from '../../generated/frames.js';
import { closeCodes, limits, protocol } from '../../generated/protocol.js';
import { transcripts } from '../support/transcripts.ts';

/** Those whose agent breaks the protocol on purpose. */
const broken = ['bad-logs', 'broken-frame', 'first-frame'];
const validators = { agent: agentFrames, server: serverFrames };

const frames = transcripts.flatMap(({ name, steps }) =>
  steps.flatMap((step) => ('frame' in step ? [{ name, from: step.from, frame: step.frame }] : [])),
);

test('every frame of the golden transcripts is valid, unless its transcript shows what is refused', () => {
  const wrong = frames.flatMap(({ name, from, frame }) => {
    const known: Partial<Record<string, (frame: unknown) => boolean>> = validators[from];
    const isGood = known[frame.type]?.(frame) ?? name === 'unknown-frame';
    return isGood || broken.includes(name) ? [] : [`${name}: ${JSON.stringify(frame)}`];
  });
  expect(wrong).toEqual([]);
  expect(frames.length).toBeGreaterThan(50);
});

test('the golden transcripts show every frame of the protocol', () => {
  const shown = (from: 'agent' | 'server') =>
    new Set<string>(frames.filter((each) => each.from === from).map(({ frame }) => frame.type));
  expect(Object.keys(agentFrames).filter((type) => !shown('agent').has(type))).toEqual([]);
  expect(Object.keys(serverFrames).filter((type) => !shown('server').has(type))).toEqual([]);
});

test('the frames of a transcript that is refused are invalid by the validators too', () => {
  const [, logs] = frames.filter(({ name, from }) => name === 'bad-logs' && from === 'agent');
  expect(logs?.frame.type).toBe('logs');
  expect(agentFrames.logs(logs?.frame)).toBe(false);
});

test('protocol 1 stays what agents in the field were built by', () => {
  expect(protocol).toBe(1);
  expect(closeCodes).toMatchObject({
    ended: 1000,
    policy: 1008,
    tooBig: 1009,
    serverError: 1011,
    restarting: 1012,
    tryLater: 1013,
    unauthorized: 4401,
    helloTimeout: 4408,
    replaced: 4409,
    protocolUnsupported: 4426,
  });
  // A limit may grow, and a time may become longer; the other way agents that keep to it would be cut off.
  expect(limits.maxFrameBytes).toBeGreaterThanOrEqual(262_144);
  expect(limits.maxFramesPerSecond).toBeGreaterThanOrEqual(500);
  expect(limits.maxRecordsPerFrame).toBeGreaterThanOrEqual(500);
  expect(limits.maxMessageBytes).toBeGreaterThanOrEqual(16_384);
  expect(limits.maxPayloadInlineBytes).toBeGreaterThanOrEqual(16_384);
  expect(limits.maxReportMessageBytes).toBeGreaterThanOrEqual(4_096);
  expect(limits.maxOrders).toBeGreaterThanOrEqual(100);
  expect(limits.maxSnapshotBytes).toBeGreaterThanOrEqual(16_384);
  expect(limits.helloWithinMs).toBeGreaterThanOrEqual(10_000);
  expect(limits.deadAfterMs).toBeGreaterThanOrEqual(3 * limits.pingEveryMs);
});

test('a frame needs no more than it needed before', () => {
  const least: Record<AgentFrame['type'] | ServerFrame['type'], object> = {
    hello: { type: 'hello', protocol: 1, agent_version: 'x', boot_id: 'y' },
    heartbeat: { type: 'heartbeat' },
    logs: { type: 'logs', spool: 's', from_seq: 1, to_seq: 1, records: [{ seq: 1 }] },
    report: { type: 'report', order_id: 'o', status: 'x' },
    running: { type: 'running', lanes: {} },
    welcome: {
      type: 'welcome',
      protocol: 1,
      server_time: '2026-11-21T09:00:00Z',
      heartbeat_seconds: 10,
      robot_id: 'r',
      robot_name: 'n',
    },
    logs_ack: { type: 'logs_ack', spool: 's', seq: 0 },
    logs_skipped: { type: 'logs_skipped', spool: 's', from_seq: 1, to_seq: 1, reason: 'x' },
    desired: { type: 'desired', hash: 'h', items: [] },
    report_ack: { type: 'report_ack', order_id: 'o', status: 'x', ended: true },
    drain: { type: 'drain', within_ms: 0 },
    rotate: { type: 'rotate' },
    open: { type: 'open', session_id: 's', kind: 'shell', path: '/p', secret: 'x', expires_at: 't' },
    close: { type: 'close', session_id: 's' },
    refused: { type: 'refused', session_id: 's', reason: 'failed' },
  };
  for (const [type, validate] of Object.entries({ ...agentFrames, ...serverFrames }))
    expect(validate(least[type as keyof typeof least]), type).toBe(true);
});
