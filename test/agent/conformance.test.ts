import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkList, runConformance } from '../../cli/conformance/conformance-run.ts';
import { startCounterpart } from '../../cli/conformance/counterpart.ts';
import { orderOf } from '../../cli/conformance/order-book.ts';
import { isGone } from '../support/agent-releases.ts';
import { bin, startHome } from '../support/cli.ts';
import { playTranscript } from '../support/transcript-player.ts';
import { transcripts } from '../support/transcripts.ts';

const python = '/usr/bin/python3';
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Continuous integration has Debian's python3-websockets or fails; elsewhere a test without it is skipped where everybody sees it. */
const lacksPython = spawnSync(python, ['-c', 'import websockets']).status !== 0 && !process.env['CI'];
const small = `${process.execPath} ${fileOf('../support/small-agent.mjs')}`;
/** They take half a minute. */
const slow = ['dead-link', 'replaced'];
const quick = checkList.map(({ name }) => name).filter((name) => !slow.includes(name));
const patienceMs = 25_000;

interface Report {
  data: { checks: { check: string; result: string; why?: string }[] };
}

const run = async (command: string, only: readonly string[], fault = '', jobs = 4, patience = patienceMs) => {
  const environment = { PATH: process.env['PATH'] ?? '', BREAK: fault };
  const settings = { command, environment, patienceMs: patience, only, jobs };
  const outcomes = await runConformance({ ...settings, done: () => undefined });
  return outcomes.filter(({ result }) => result !== 'ok');
};

for (const transcript of transcripts) {
  // Who looks at streams is no part of what an agent meets.
  if (transcript.steps.some((step) => 'open_shell' in step || 'open_stream' in step)) continue;
  test(`the service that agents are tried against says what the real one says in the golden transcript ${transcript.name}`, async () => {
    await using service = await startCounterpart();
    service.robotToken = 'svc_robot_of_the_transcript';
    const { url, robotToken, book } = service;
    const played = playTranscript(transcript, {
      url,
      robotToken,
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
    const agent = `${process.execPath} ${bin} agent run --backend-url {url} --allow-shell --log-file {log} --heartbeat-seconds 1`;
    const { code, stdout, stderr } = await home.cli([
      ...['agent', 'conformance', '--json', '--jobs', '6', '--timeout', '30', '--command', agent],
    ]);
    const { data } = JSON.parse(stdout) as Report;
    expect(data.checks.filter(({ result }) => result !== 'ok')).toMatchObject([{ check: 'camera', result: 'skipped' }]);
    expect(data.checks.map(({ check }) => check)).toEqual(checkList.map(({ name }) => name));
    expect(code, stderr).toBe(0);
  },
  180_000,
);

test.skipIf(lacksPython).concurrent(
  'the example agent keeps every promise of the protocol that it makes',
  async ({ expect }) => {
    const script = fileOf('../../docs/examples/agent.py');
    const outcomes = await run(`${python} ${script} {url} {folder}/identity.json`, quick, '', 6);
    expect(outcomes).toMatchObject([{ check: 'camera', result: 'skipped' }]);
  },
  180_000,
);

/** Each is a fault of the small agent, and the check that has to find it. Those that are found by waiting come first: all that waits does so at the same time. */
const faults = [
  ...['dead-link', 'pings', 'drain', 'report-kept', 'logs-kept', 'shell-left', 'shell', 'refused', 'retry-after'],
  ...['unauthorized', 'forbidden', 'enroll-refused', 'replaced', 'reconnect', 'sigterm', 'identity', 'cancel-midway'],
  ...[
    'enroll-again',
    'enroll-wait',
    'heartbeats',
    'unknown',
    'malformed',
    'clock',
    'logs',
    'deployment',
    'orders-once',
  ],
  ...['payload-digest', 'artifact-digest', 'no-handler', 'cancel', 'unsupported', 'shell-frames', 'frames'],
];
/** A second way to break the rule of a check. */
const others: Record<string, string> = { 'drain-at-once': 'drain' };
/** Who has none of the faults. */
const bystander = 'enroll';
/** More than the cores carry: nearly all of it is waiting. */
const atATime = 12;

test.concurrent(
  'a small agent without a fault passes the checks that find faults',
  async ({ expect }) => {
    expect(await run(small, [bystander, ...faults.filter((name) => name !== 'replaced')], '', 8)).toEqual([]);
  },
  180_000,
);

test.concurrent(
  'an agent that breaks one rule fails the check of that rule and no other, and is told why',
  async ({ expect }) => {
    const found = new Map<string, unknown>();
    const all = [...faults, ...Object.keys(others)];
    const waiting = [...all];
    const judged = async (fault: string) => {
      if (fault !== 'dead-link') return run(small, [bystander, others[fault] ?? fault], fault);
      // Patience is no help to who waits in vain: it comes on top of the half minute of a dead link.
      return (await Promise.all([run(small, [bystander], fault), run(small, [fault], fault, 1, 10_000)])).flat();
    };
    const work = async () => {
      for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift())
        found.set(fault, await judged(fault));
    };
    await Promise.all(Array.from({ length: atATime }, work));
    const failure = (check: string) => expect.objectContaining({ check, result: 'failed', why: expect.any(String) });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(all.map((fault) => [fault, [failure(others[fault] ?? fault)]])),
    );
  },
  240_000,
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

test('who interrupts a run leaves no agent behind, and no agent sees the folders of who runs it', async () => {
  await using home = await startHome({ XDG_CONFIG_HOME: '/of-the-person' });
  const command = 'echo $$ $XDG_CONFIG_HOME end > "$TEST_FOLDER/agent"; exec sleep 600';
  const running = home.start(['agent', 'conformance', '--only', 'pings', '--command', command], {
    env: { TEST_FOLDER: home.path },
  });
  const file = () => readFile(join(home.path, 'agent'), 'utf8').catch(() => '');
  await expect.poll(file, { timeout: 20_000 }).toMatch(/^\d+ end\n$/);
  const pid = Number.parseInt(await file(), 10);
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  await expect.poll(() => isGone(pid), { timeout: 10_000 }).toBe(true);
});

test('an agent that never connects fails, its last words are told, and the command ends with 1', async () => {
  await using home = await startHome();
  const args = ['agent', 'conformance', '--only', 'pings', '--timeout', '2', '--command', 'echo no such thing; exit 9'];
  const { code, stdout, stderr } = await home.cli(args);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED +pings .*\n +no link came up.* it has ended with 9; it wrote: no such thing/);
  expect(stderr).toContain('0 ok, 1 failed, 0 skipped');
});
