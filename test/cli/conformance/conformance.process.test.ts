import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkList, runConformance } from '../../../cli/conformance/conformance-run.ts';
import { startTestService } from '../../../cli/conformance/test-service.ts';
import { orderOf } from '../../../cli/conformance/order-book.ts';
import { bin, startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';
import { playTranscript } from '../../support/transcript-player.ts';
import { transcripts } from '../../support/transcripts.ts';

const python = '/usr/bin/python3';
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const small = `${process.execPath} ${fileOf('./small-agent.mjs')}`;
/** They take half a minute. */
const slow = ['dead-link', 'replaced'];
const quick = checkList.map(({ name }) => name).filter((name) => !slow.includes(name));
const timeoutMs = 60_000;
/** Hundreds of agents are started: on a slow machine that alone takes minutes. */
const slowMs = 900_000;
/** More than the cores carry: nearly all of it is waiting. */
const atATime = 12;

interface Report {
  data: { checks: { check: string; result: string; why?: string }[] };
}

const run = async (command: string, names: readonly string[], fault = '', jobs = 4, patience = timeoutMs) => {
  const environment = { PATH: process.env['PATH'] ?? '', BREAK: fault };
  const settings = { command, environment, timeoutMs: patience, names, jobs };
  const outcomes = await runConformance({ ...settings, done: () => undefined });
  return outcomes.filter(({ result }) => result !== 'ok');
};

const skipped = (...names: string[]) => names.map((check) => ({ check, result: 'skipped' }));

for (const transcript of transcripts) {
  // Who looks at streams is no part of what an agent meets.
  if (transcript.steps.some((step) => 'open_shell' in step || 'open_stream' in step)) continue;
  test(`the service that agents are tried against says what the real one says in the golden transcript ${transcript.name}`, async () => {
    await using service = await startTestService();
    service.tokens.present = 'svc_robot_of_the_transcript';
    const { url, tokens, book } = service;
    const played = playTranscript(transcript, {
      url,
      robotToken: tokens.present,
      async act(act) {
        const newest = service.links.at(-1);
        if ('stop' in act) newest?.send({ type: 'drain', within_ms: 5_000 });
        else if ('rotate_token' in act) newest?.send({ type: 'rotate' });
        else if ('cancel' in act) {
          book.orders = book.orders.map((order) => ({ ...order, cancel: true }));
          book.give();
        } else if ('deploy_config' in act) {
          const { namespace, key, value } = act.deploy_config;
          book.give(orderOf('config', JSON.stringify({ config: [{ namespace, key, revision: 1, value }] })));
        } else if ('deploy_release' in act) {
          const release = { id: 'a-release', ...act.deploy_release };
          book.give(orderOf(`release:${release.kind}`, JSON.stringify({ release })));
        }
      },
    });
    await expect(played).resolves.toBeUndefined();
  });
}

test.concurrent(
  'our own agent keeps every promise of the protocol that it makes',
  async ({ expect }) => {
    await using home = await startHome();
    const able = '--allow-shell --camera front=test:?size=160x120 --log-file {log}';
    const agent = `${process.execPath} ${bin} agent run --backend-url {url} ${able} --heartbeat-seconds 1`;
    const { code, stdout, stderr } = await home.cli([
      ...['agent', 'conformance', '--json', '--jobs', '8', '--timeout', '30', '--command', agent],
    ]);
    const { data } = JSON.parse(stdout) as Report;
    expect(data.checks.filter(({ result }) => result !== 'ok')).toMatchObject(skipped('topics', 'topic'));
    expect(data.checks.map(({ check }) => check)).toEqual(checkList.map(({ name }) => name));
    expect(code, stderr).toBe(0);
  },
  slowMs,
);

testWith('python3-websockets').concurrent(
  'the example agent keeps every promise of the protocol that it makes',
  async ({ expect }) => {
    const script = fileOf('../../../docs/examples/agent.py');
    const outcomes = await run(`${python} ${script} {url} {folder}/identity.json`, quick, '', 8);
    const others = ['camera', 'camera-rate', 'camera-left', 'topics', 'topic'];
    expect(outcomes).toMatchObject(skipped('rotate', 'rotate-again', 'window', ...others));
  },
  slowMs,
);

/** Each is a fault of the small agent, and the check that has to find it. Those that are found by waiting come first: all that waits does so at the same time. */
const faults = [
  ...[
    'dead-link',
    'camera-left',
    'pings',
    'drain',
    'report-kept',
    'logs-kept',
    'shell-left',
    'shell',
    'refused',
    'retry-after',
  ],
  ...['unauthorized', 'forbidden', 'enroll-refused', 'replaced', 'reconnect', 'sigterm', 'identity', 'cancel-midway'],
  ...[
    'enroll',
    'enroll-again',
    'enroll-wait',
    'heartbeats',
    'health',
    'unknown',
    'malformed',
    'clock',
    'logs',
    'deployment',
    'orders-once',
  ],
  ...[
    'payload-digest',
    'artifact-digest',
    'artifact-elsewhere',
    'traceparent',
    'no-handler',
    'cancel',
    'window',
    'unsupported',
    'shell-frames',
    'frames',
  ],
  ...['protocol', 'protocol-refused', 'proxy', 'suspended', 'one-link', 'rotate', 'rotate-again', 'logs-held'],
  ...[
    'camera',
    'camera-rate',
    'topics',
    'topic',
    'dropped',
    'config',
    'payload-fetched',
    'logs-renumbered',
    'report-refused',
  ],
];
/** A second way to break the rule of a check. */
const others: Record<string, string> = {
  'drain-at-once': 'drain',
  'rotate-unshown': 'rotate',
  'protocol-silent': 'protocol',
  'refused-silent': 'refused',
  'frames-large': 'frames',
  'frames-first': 'frames',
  'frames-status': 'frames',
  'camera-byte': 'camera',
  'shell-frames-words': 'shell-frames',
};
/** A check that a fault is nothing to. */
const bystander = (fault: string) =>
  ({ enroll: 'pings', 'frames-large': 'heartbeats', 'frames-status': 'heartbeats' })[fault] ?? 'enroll';
test.concurrent(
  'a small agent without a fault passes the checks that find faults',
  async ({ expect }) => {
    expect(faults.toSorted()).toEqual(checkList.map(({ name }) => name).toSorted());
    const together = await run(
      small,
      faults.filter((name) => name !== 'replaced'),
      '',
      8,
    );
    // What fails beside so many others, as heartbeats that come all at once, has to pass alone.
    const failed = together.map(({ check }) => check);
    expect(failed.length === 0 ? [] : await run(small, failed, '', 1)).toEqual([]);
  },
  slowMs,
);

test.concurrent(
  'an agent that breaks one rule fails the check of that rule and no other, and is told why',
  async ({ expect }) => {
    const found = new Map<string, { check: string }[]>();
    const isFound = (fault: string) => {
      const [first, ...more] = found.get(fault) ?? [];
      return first?.check === (others[fault] ?? fault) && more.length === 0;
    };
    const all = [...faults, ...Object.keys(others)];
    const waiting = [...all];
    const judged = async (fault: string) => {
      const check = others[fault] ?? fault;
      // Patience is no help to who waits in vain; without a record logs are skipped.
      const patience = check.startsWith('logs') ? timeoutMs : 10_000;
      // They judge what comes in another check.
      if (check === 'frames') return run(small, [bystander(fault), check], fault);
      return (
        await Promise.all([run(small, [bystander(fault)], fault), run(small, [check], fault, 1, patience)])
      ).flat();
    };
    const work = async () => {
      for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift())
        found.set(fault, await judged(fault));
    };
    await Promise.all(Array.from({ length: atATime }, work));
    // Beside so many others an agent that comes too early comes late, and what it sends in order comes all at once: such a fault is looked for again, alone.
    for (const fault of all) if (!isFound(fault)) found.set(fault, await judged(fault));
    const failure = (check: string) => expect.objectContaining({ check, result: 'failed', why: expect.any(String) });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(all.map((fault) => [fault, [failure(others[fault] ?? fault)]])),
    );
  },
  slowMs,
);

test('the command lists its checks, and refuses one that is not there', async () => {
  await using home = await startHome();
  const { stdout, code } = await home.cli(['agent', 'conformance', '--list']);
  expect(code).toBe(0);
  for (const { name, rule } of checkList) expect(stdout).toContain(`${name.padEnd(16)} ${rule}`);
  expect(await home.cli(['agent', 'conformance'])).toMatchObject({ code: 2 });
  const unknown = await home.cli(['agent', 'conformance', '--command', 'true', '--only', 'nothing']);
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('--list');
});
