import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { checkList } from '../../../cli/conformance/conformance-run.ts';
import { isGone } from '../../support/agent-releases.ts';
import { startHome } from '../../support/cli.ts';
import { testWith } from '../../support/tools.ts';

const python = '/usr/bin/python3';
const small = `exec ${process.execPath} ${fileURLToPath(new URL('./small-agent.mjs', import.meta.url))}`;
/** None of these agents is worth waiting for: a run that did would outlast its test. */
const patient = ['--timeout', '600'];

/** A home with a folder of its own for what is temporary, so that a test sees what stays there. */
async function startEmptyHome(fault = '') {
  const home = await startHome();
  const temporary = join(home.path, 'temporary');
  await mkdir(temporary);
  const env = { TMPDIR: temporary, TEST_FOLDER: home.path, BREAK: fault, XDG_CONFIG_HOME: '/of-the-person' };
  return {
    path: home.path,
    left: () => readdir(temporary),
    text: (name: string) => readFile(join(home.path, name), 'utf8').catch(() => ''),
    run: (...args: string[]) => home.cli(['agent', 'conformance', ...args], { env }),
    start: (...args: string[]) => home.start(['agent', 'conformance', ...args], { env }),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

test.concurrent(
  'an agent that ends at once is not waited for, its last words are told, and the command ends with 1',
  async ({ expect }) => {
    await using home = await startEmptyHome();
    const { code, stdout, stderr } = await home.run(
      '--only',
      'pings',
      ...patient,
      '--command',
      'echo no such thing; exit 9',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAILED +pings .*\n +no link came up.* it has ended with 9; it wrote: no such thing\n$/);
    expect(stderr).toContain('0 ok, 1 failed, 0 skipped');
    expect(await home.left()).toEqual([]);
  },
);

test.concurrent(
  'an agent that opens no link is tried once: the other checks are skipped, and its last words are told once',
  async ({ expect }) => {
    await using home = await startEmptyHome();
    const report = join(home.path, 'report.xml');
    const command = 'echo start >> "$TEST_FOLDER/starts"; echo "No module named websockets" >&2; exit 1';
    const { code, stdout, stderr } = await home.run(...patient, '--junit', report, '--command', command);
    const untried = checkList.length - 1;
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^FAILED +enroll .*\n +no link came up.* it has ended with 1; it wrote: No module named websockets\n/,
    );
    expect(stdout.match(/No module named/g)).toHaveLength(1);
    expect(stdout).toMatch(
      new RegExp(
        `\\nskipped +others +${untried} checks\\n +not tried: the agent opened no link in the check enroll\\n$`,
      ),
    );
    expect(stderr).toContain(`0 ok, 1 failed, ${untried} skipped`);
    expect(await home.text('report.xml')).toContain(
      `tests="${checkList.length}" failures="1" errors="0" skipped="${untried}"`,
    );
    expect(await home.text('starts')).toBe('start\n');
    expect(await home.left()).toEqual([]);
  },
);

test.concurrent(
  'an agent that crashes in the middle of a check is not waited for, and the signal is told',
  async ({ expect }) => {
    await using home = await startEmptyHome('crash');
    const { code, stdout } = await home.run('--only', 'heartbeats', ...patient, '--command', small);
    expect(stdout).toMatch(/^FAILED +heartbeats .*\n.* it has ended with SIGSEGV/);
    expect(code).toBe(1);
    expect(await home.left()).toEqual([]);
  },
);

test.concurrent('an agent that never connects fails when the patience is over', async ({ expect }) => {
  await using home = await startEmptyHome();
  const { code, stdout } = await home.run('--only', 'pings', '--timeout', '1', '--command', 'sleep 600');
  expect(stdout).toMatch(/^FAILED +pings .*\n +no link came up, with a hello \(waited 1 s\)\n$/);
  expect(code).toBe(1);
  expect(await home.left()).toEqual([]);
});

test.concurrent(
  'an agent that writes without end fails as any other, and a few lines of it are told',
  async ({ expect }) => {
    await using home = await startEmptyHome();
    const { code, stdout } = await home.run('--only', 'pings', '--timeout', '2', '--command', 'yes one line');
    expect(stdout).toMatch(/^FAILED +pings .*\n.*; it wrote: one line \| one line \| /);
    expect(stdout.length).toBeLessThan(2_000);
    expect(code).toBe(1);
    expect(await home.left()).toEqual([]);
  },
);

test.concurrent('of an agent that floods its link no more is kept than a check may need', async ({ expect }) => {
  await using home = await startEmptyHome('flood');
  const { code, stdout } = await home.run(
    '--only',
    'unknown',
    '--only',
    'frames',
    '--timeout',
    '60',
    '--command',
    small,
  );
  expect(stdout).toMatch(/^FAILED +unknown /);
  expect(stdout).toMatch(/^FAILED +frames .*\n +more than 64 MiB came in one check\n$/m);
  expect(code).toBe(1);
  expect(await home.left()).toEqual([]);
});

test.concurrent('an agent that opens a second link is told so', async ({ expect }) => {
  await using home = await startEmptyHome('one-link');
  const { stdout } = await home.run('--only', 'heartbeats', '--only', 'one-link', '--timeout', '5', '--command', small);
  expect(stdout).toMatch(/^FAILED +heartbeats .*\n.*it opened a second link beside its first/);
  expect(stdout).toMatch(/^FAILED +one-link .*\n.*it opened a second link beside one that was well/m);
  expect(await home.left()).toEqual([]);
});

/** Two that hear no SIGTERM: one in the group of the agent, one that left it. */
const children = [
  `(trap '' TERM; sleep 600; :) & echo $! > "$TEST_FOLDER/inside"`,
  `setsid sh -c 'trap "" TERM; echo $$ > "$TEST_FOLDER/outside"; sleep 600; :' &`,
  'until [ -s "$TEST_FOLDER/outside" ]; do sleep 0.05; done',
];
const pids = async (home: { text(name: string): Promise<string> }) => [
  Number(await home.text('inside')),
  Number(await home.text('outside')),
];

test.concurrent(
  'children that outlive an agent are ended with it, whether they left its group or not',
  async ({ expect }) => {
    await using home = await startEmptyHome();
    const command = `${children.join('\n')}\n${small}`;
    const { code, stdout } = await home.run('--only', 'sigterm', '--command', command);
    expect(stdout).toMatch(/^ok +sigterm /);
    expect(code).toBe(0);
    const [inside = 0, outside = 0] = await pids(home);
    expect([inside > 0, outside > 0]).toEqual([true, true]);
    expect([await isGone(inside), await isGone(outside)]).toEqual([true, true]);
    expect(await home.left()).toEqual([]);
  },
);

/** It hides from who looks for what an agent left, and keeps what it holds: the outputs, and a connection that was refused. */
const hidden = `const { hostname: host, port } = new URL(process.argv[1]);
const socket = require('node:net').connect({ host, port, allowHalfOpen: true });
socket.write('GET /nowhere HTTP/1.1\\r\\nHost: service\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n');
socket.once('data', () => require('node:fs').writeFileSync(process.argv[2], String(process.pid)));
setInterval(() => undefined, 1000);`;

test.concurrent('a child that is not found holds nothing up: the command ends all the same', async ({ expect }) => {
  await using home = await startEmptyHome();
  const hide = `env -i setsid ${process.execPath} -e "${hidden}" {url} "$TEST_FOLDER/hidden" &`;
  const wait = 'until [ -s "$TEST_FOLDER/hidden" ]; do sleep 0.05; done';
  const { code, stdout } = await home.run('--only', 'pings', ...patient, '--command', `${hide}\n${wait}\nexit 9`);
  const pid = Number(await home.text('hidden'));
  expect(await isGone(pid)).toBe(false);
  process.kill(pid, 'SIGKILL');
  expect(stdout).toMatch(/^FAILED +pings .*\n.* it has ended with 9/);
  expect(code).toBe(1);
  expect(await home.left()).toEqual([]);
});

/** Requests an upgrade of a target that is not a URL. */
const strangeUpgrade = `const { hostname: host, port } = new URL(process.argv[1]);
const socket = require('node:net').connect({ host, port });
socket.write('GET // HTTP/1.1\\r\\nHost: service\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n');
socket.once('data', (data) => { console.log(String(data).split('\\r')[0]); process.exit(9); });`;

test.concurrent('a request whose target is not a URL is refused, and the run continues', async ({ expect }) => {
  await using home = await startEmptyHome();
  const command = `exec ${process.execPath} -e "${strangeUpgrade}" {url}`;
  const { code, stdout } = await home.run('--only', 'pings', ...patient, '--command', command);
  expect(stdout).toMatch(/^FAILED +pings .*\n.* it has ended with 9; it wrote: HTTP\/1\.1 404 /);
  expect(code).toBe(1);
  expect(await home.left()).toEqual([]);
});

test.concurrent('no check starts a second agent beside the first', async ({ expect }) => {
  await using home = await startEmptyHome();
  const command = `echo start >> "$TEST_FOLDER/starts"; ${small}`;
  const { stdout } = await home.run('--only', 'window', ...patient, '--command', command);
  expect(stdout).toMatch(/^ok +window /);
  expect(await home.text('starts')).toBe('start\n');
});

for (const [signal, ends] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  test.concurrent(
    `who ends a run by ${signal} leaves no process and no folder behind, and no agent sees the folders of who runs it`,
    async ({ expect }) => {
      await using home = await startEmptyHome();
      const own = 'echo $$ $XDG_CONFIG_HOME end > "$TEST_FOLDER/agent"; exec sleep 600';
      const running = home.start('--only', 'pings', '--command', `${children.join('\n')}\n${own}`);
      for (const name of ['agent', 'inside', 'outside'])
        await expect.poll(() => home.text(name)).toMatch(/^\d+( end)?\n$/);
      const agent = Number.parseInt(await home.text('agent'), 10);
      running.kill(signal as NodeJS.Signals); // a key of the table above
      expect((await running.ended).code).toBe(ends);
      for (const pid of [agent, ...(await pids(home))]) await expect.poll(() => isGone(pid)).toBe(true);
      expect(await home.left()).toEqual([]);
    },
  );
}

test.concurrent('no report holds the key or the token, whatever the agent writes and sends', async ({ expect }) => {
  await using home = await startEmptyHome('secrets');
  const report = join(home.path, 'report.xml');
  const args = ['--only', 'clock', '--only', 'frames', '--command', small];
  const [forPeople, forMachines, written] = await Promise.all([
    home.run(...args, '--junit', report),
    home.run(...args, '--json'),
    home.run('--only', 'pings', '--command', 'echo "the key is {key}"; exit 1'),
  ]);
  expect(forPeople.stdout).toContain('svc_enroll_[redacted] svc_robot_[redacted]');
  expect(written.stdout).toContain('it wrote: the key is svc_enroll_[redacted]');
  const xml = await home.text('report.xml');
  for (const text of [forPeople.stdout, forPeople.stderr, forMachines.stdout, xml, written.stdout]) {
    expect(text).not.toMatch(/svc_(enroll|robot)_[0-9a-f]/);
  }
  expect(forPeople.stdout).toMatch(/^FAILED +frames /m);
});

testWith('python3').concurrent(
  'the report for build servers is well-formed XML, whatever the agent says, and counts what is in it',
  async ({ expect }) => {
    await using home = await startEmptyHome('crash');
    const report = join(home.path, 'report.xml');
    const odd = String.raw`printf '<a>&amp;"]]>\001\033[31m\377\357\277\277\355\240\200\302\205\n<!-- end'`;
    const only = ['--only', 'pings', '--only', 'frames', '--only', 'heartbeats'];
    const { code } = await home.run(...only, '--junit', report, '--command', `${odd}\n${small}`);
    expect(code).toBe(1);
    const script = `
import json, sys, xml.dom.minidom
suite = xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("testsuite")[0]
cases = [[case.getAttribute("name"), [[each.tagName, each.getAttribute("message")] for each in case.childNodes]] for case in suite.getElementsByTagName("testcase")]
print(json.dumps({"counts": [suite.getAttribute(name) for name in ["tests", "failures", "errors", "skipped"]], "cases": cases}))`;
    const read = spawnSync(python, ['-c', script, report], { encoding: 'utf8' });
    expect(read.stderr).toBe('');
    const { counts, cases } = JSON.parse(read.stdout) as { counts: string[]; cases: [string, [string, string][]][] };
    expect(counts).toEqual(['3', '2', '0', '0']);
    expect(cases.map(([name, [child]]) => [name, child?.[0]])).toEqual([
      ['heartbeats', 'failure'],
      ['pings', 'failure'],
      ['frames', undefined],
    ]);
    expect(cases[0]?.[1][0]?.[1]).toContain('<a>&amp;"]]>␁␛[31m');
    expect(cases[0]?.[1][0]?.[1]).toContain('<!-- end');
  },
);
