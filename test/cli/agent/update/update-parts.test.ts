import { expect, test } from 'vitest';
import { startChild } from '../../../../cli/agent/update/child.ts';
import { linkWatch } from '../../../../cli/agent/update/link-watch.ts';
import { agentLineOf } from '../../../../cli/commands/agent/agent-line.ts';
import { protocol } from '../../../../generated/protocol.js';

const environment = { stateDirectory: '/home/r/.local/state/service' };
const never = new AbortController().signal;
const server_time = '2026-11-22T09:00:00Z';
const welcome = {
  type: 'welcome',
  protocol,
  server_time,
  heartbeat_seconds: 10,
  robot_id: 'r',
  robot_name: 'amr',
} as const;
const up = { kind: 'up', welcome, clockOffsetMs: 0 } as const;

test('the line of an agent is known without the tables of the client', () => {
  const of = (line: string, words = ['agent', 'run']) => agentLineOf(line.split(' '), words, environment);
  const state = '/home/r/.local/state/service/agent';
  expect(of('agent run')).toEqual({ args: ['run'], stateDirectory: state });
  expect(of('--base-url http://x agent --debug run --name a')).toEqual({
    args: ['run', '--base-url', 'http://x', '--debug', '--name', 'a'],
    stateDirectory: state,
  });
  expect(of('run --state-dir /s --journal', ['run'])).toMatchObject({ stateDirectory: '/s' });
  expect(of('agent run --state-dir=/s')).toMatchObject({ stateDirectory: '/s' });
  for (const line of ['agent simulate', 'agent run --help', 'robots list', 'agent', 'agent run --'])
    expect(of(line)).toBeUndefined();
});

test('a link counts from when it came last, and one that does not last is told', async () => {
  const watch = linkWatch();
  const flapping = setInterval(() => {
    watch.heard(up);
    watch.heard({ kind: 'waiting', waitMs: 1, reason: 'nobody there' });
  }, 20);
  expect(await watch.upFor(60, 200, never)).toBe('nobody there');
  clearInterval(flapping);
  watch.heard(up);
  const beganMs = performance.now();
  expect(await watch.upFor(60, 2_000, never)).toBeUndefined();
  expect(performance.now() - beganMs).toBeGreaterThan(55);
  const stopping = new AbortController();
  const waiting = watch.upFor(10_000, 20_000, stopping.signal);
  stopping.abort(new Error('it ends'));
  await expect(waiting).rejects.toThrow('it ends');
});

test('an agent whose start the system refuses at once counts as one that could not be started', async () => {
  const child = startChild({
    file: 'agent.mjs',
    args: ['x'.repeat(200_000)], // more than the kernel takes of one
    environment: {},
    keepsTail: true,
    onRunning: () => undefined,
  });
  expect(child.pid).toBeUndefined();
  expect((await child.ended).how).toMatch(/^it could not be started: .*E2BIG/);
});
