import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, startHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { runningProcesses } from '../../../support/processes.ts';
import { runLine } from '../../../support/shell-line.ts';
import { startShellScene } from '../../../support/shell-scene.ts';
import { until } from '../../../support/until.ts';

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const shell = (...command: string[]) => ['robots', 'shell', 'amr-007', '--', ...command];

test('a command ends as it ended there, by a code or by a signal, and its outputs stay apart', async () => {
  await using scene = await startShellScene();
  const run = (...command: string[]) => scene.home.cli(shell(...command));
  expect(await run('sh', '-c', 'echo out; echo err >&2; exit 7')).toEqual({
    code: 7,
    stdout: 'out\n',
    stderr: 'err\n',
  });
  expect(await run('true')).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await run('sh', '-c', 'kill -TERM $$')).code).toBe(143);
  expect((await run('sh', '-c', 'kill -KILL $$')).code).toBe(137);
  expect((await run('no-such-program')).code).toBe(127);
});

test('the arguments of a command arrive as they are: no shell takes them apart', async () => {
  await using scene = await startShellScene();
  const words = ['a b', '', '$HOME', "it's", '"q"', '*', '-x', '--json', '--', 'é\n', '\\'];
  const { stdout } = await scene.home.cli(shell('printf', '%s|', ...words));
  expect(stdout).toBe(words.map((word) => `${word}|`).join(''));
});

test('bytes pass in both directions as they are, through pipes and files', async () => {
  await using scene = await startShellScene();
  const [tree, there] = [join(scene.home.path, 'tree'), join(scene.home.path, 'there')];
  await Promise.all([tree, there].map((path) => mkdir(path)));
  await writeFile(join(tree, 'large'), randomBytes(5_000_000));
  await writeFile(join(tree, 'bytes'), Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256)));
  const sent = await runLine(scene, `tar c . | cli robots shell amr-007 -- tar x -C '${there}'`, tree);
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  for (const name of ['large', 'bytes'])
    expect(digest(await readFile(join(there, name)))).toBe(digest(await readFile(join(tree, name))));
  const back = await runLine(scene, `cli robots shell amr-007 -- cat '${there}/large' > got; cat got`, tree);
  expect(digest(back.stdout)).toBe(digest(await readFile(join(tree, 'large'))));
  const around = await runLine(scene, 'head -c 3000000 large | cli robots shell amr-007 -- cat | sha256sum', tree);
  const start = (await readFile(join(tree, 'large'))).subarray(0, 3_000_000);
  expect(around.stdout.toString()).toContain(digest(start));
});

test('without a terminal on this side a shell reads its lines from stdin', async () => {
  await using scene = await startShellScene();
  const { code, stdout } = await runLine(scene, `printf 'tty\\necho $((6*7))\\nexit 4\\n' | cli robots shell amr-007`);
  expect(stdout.toString()).toBe('not a tty\n42\n');
  expect(code).toBe(4);
  const asked = await runLine(scene, `printf 'tty; exit 5\\n' | cli robots shell -t amr-007`);
  expect(asked.stdout.toString()).toContain('/dev/');
  expect(asked.code).toBe(5);
});

test('input waits for a command that does not read it, and none of it is lost', async () => {
  await using scene = await startShellScene();
  const line = `head -c 8000000 /dev/zero | cli robots shell amr-007 -- sh -c 'sleep 2; wc -c'`;
  expect((await runLine(scene, line)).stdout.toString().trim()).toBe('8000000');
});

test('output waits for who reads it, and none of it is lost', async () => {
  await using scene = await startShellScene();
  const slow = `cli robots shell amr-007 -- head -c 60000000 /dev/zero | { sleep 1.5; wc -c; }`;
  expect((await runLine(scene, slow)).stdout.toString().trim()).toBe('60000000');
});

test('a reader that has seen enough ends it quietly, and the command with it', async () => {
  await using scene = await startShellScene();
  const marker = `seen-enough-${randomBytes(4).toString('hex')}`;
  const line = `cli robots shell amr-007 -- sh -c 'while :; do echo ${marker}; done' | head -1; echo $\{PIPESTATUS[0]}`;
  const { stdout, stderr } = await runLine(scene, line);
  expect(stdout.toString()).toBe(`${marker}\n141\n`);
  expect(stderr).toBe('');
  await until(() => !runningProcesses().some(({ args }) => args.includes(`while :; do echo ${marker}`)));
});

test('output that cannot be written is not passed over, also where the command has ended by then', async () => {
  await using scene = await startShellScene();
  // Which of the two is heard of first differs.
  const line = 'for i in 1 2 3 4 5 6; do cli robots shell amr-007 -- seq 3 >/dev/full; echo $?; done';
  const { stdout, stderr } = await runLine(scene, line);
  expect(stdout.toString()).toBe('255\n'.repeat(6));
  expect(stderr).toContain('the output cannot be written');
});

test('an interrupt goes to the command; two in a second are for this side', async () => {
  await using scene = await startShellScene();
  const trap = scene.home.start(
    shell('sh', '-c', 'trap "echo caught; exit 3" INT; echo up; while :; do sleep 0.05; done'),
  );
  await trap.sees('up');
  trap.kill('SIGINT');
  expect(await trap.ended).toMatchObject({ code: 3, stdout: 'up\ncaught\n' });
  const deaf = scene.home.start(shell('sh', '-c', 'trap "echo deaf" INT; echo up; while :; do sleep 0.05; done'));
  await deaf.sees('up');
  deaf.kill('SIGINT');
  await deaf.sees('deaf');
  deaf.kill('SIGINT');
  expect((await deaf.ended).code).toBe(130);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends it with %d, and the command with it', async (signal, code) => {
  await using scene = await startShellScene();
  const running = scene.home.start(shell('sh', '-c', 'echo $$; exec sleep 1000'));
  await running.sees('\n');
  const pid = Number(running.text());
  running.kill(signal);
  expect((await running.ended).code).toBe(code);
  await until(async () => !(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ')).includes(' S '));
});

test.each([
  ['that goes on', 'cat /dev/zero'],
  ['that has ended', 'head -c 300000 /dev/zero'],
])('a signal ends it also where nobody reads the output of a command %s', async (_, command) => {
  await using scene = await startShellScene();
  const line = `{ cli robots shell amr-007 -- ${command} & echo $! >pid; wait $!; echo $? >code; } | { sleep 3; kill $(cat pid); while [ ! -s code ]; do sleep 0.1; done; cat code; }`;
  const { stdout } = await runLine(scene, line);
  expect(stdout.toString()).toBe('143\n');
});

test('a robot that is away, one that is not there, and who may not are told each by their own code', async () => {
  await using scene = await startShellScene();
  const { world, home, agent } = scene;
  expect(await home.cli(['robots', 'shell', 'amr-008', '--', 'true'])).toMatchObject({ code: 5, stdout: '' });
  const viewer = await factories(world).userToken('viewer');
  const refused = await home.cli(shell('true'), { env: { SERVICE_TOKEN: viewer } });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('needs operator or higher');
  expect((await home.cli(shell('true'), { env: { SERVICE_TOKEN: 'svc_org_x' } })).code).toBe(4);
  agent.kill('SIGTERM');
  await agent.ended;
  const away = await home.cli(shell('true'));
  expect(away).toMatchObject({ code: 9, stdout: '' });
  expect(away.stderr).toMatch(/^Error: agent offline: "amr-007" was last seen \d+[smh] ago \(\S+Z\)$/m);
  expect(away.stderr).toContain('cli robots inspect amr-007');
  expect(JSON.parse((await home.cli(['--json', ...shell('true')])).stdout)).toEqual({
    error: { code: 'conflict', message: 'agent offline' },
  });
});

test('a robot that gives no shells says so', async () => {
  await using scene = await startShellScene({ flags: [] });
  const refused = await scene.home.cli(shell('true'));
  expect(refused).toMatchObject({ code: 6, stdout: '' });
  expect(refused.stderr).toMatch(
    /^Error: shells are off on this robot\n {2}Start its agent on the robot with: cli agent run --allow-shell\n$/m,
  );
});

test('where nothing answers it ends with 255, which no command should have meant', async () => {
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x' });
  const line = ['robots', 'shell', '--base-url', 'http://127.0.0.1:9', 'amr-007', '--', 'true'];
  expect(await home.cli(line)).toMatchObject({ code: 255, stdout: '' });
  await using server = await listen((_, response) => response.socket?.destroy());
  const id = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61';
  expect((await home.cli(['robots', 'shell', '--base-url', server.url, id, '--', 'true'])).code).toBe(255);
});

test('a command without the two dashes, and dashes without a command, send nothing', async () => {
  await using server = await listen((_, response) => response.end());
  await using home = await startHome({ SERVICE_TOKEN: 'svc_org_x', TEST_BASE_URL: server.url });
  const bare = await home.cli(['robots', 'shell', 'amr-007', 'uname']);
  expect(bare.code).toBe(2);
  expect(bare.stderr).toContain('unexpected argument "uname"; put the command after two dashes: -- uname');
  const empty = await home.cli(['robots', 'shell', 'amr-007', '--']);
  expect(empty.code).toBe(2);
  expect(empty.stderr).toContain('no command follows the two dashes');
  const { stdout } = await home.cli(['help', 'robots', 'shell']);
  expect(stdout).toContain('cli robots shell <robot> [flags] [-- <command>…]');
  expect(server.requests).toEqual([]);
});
