import { afterAll, expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { beRobot } from '../support/agent-process.ts';
import { startAgentServer } from '../support/agent-server.ts';
import { startHome, type CliOptions, type Home } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { testWith } from '../support/tools.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { ownExecutables } from './executables.ts';

const withArm = testWith('npm-registry', 'qemu-aarch64-static', 'libstdc++6-arm64-cross');
const { version } = manifest;
const { executable, ...executables } = ownExecutables();
afterAll(() => executables[Symbol.asyncDispose]());

/** Starts an executable under emulation. */
function emulated(home: Home, path: string) {
  const qemu = { program: '/usr/bin/qemu-aarch64-static', input: '' };
  return (args: readonly string[], options: CliOptions = {}) =>
    home.start(['-L', '/usr/aarch64-linux-gnu', path, ...args], { ...qemu, ...options });
}

withArm('on arm64 an agent runs, and sends heartbeats', async () => {
  await using server = await startAgentServer();
  await using home = await startHome();
  await beRobot(home, server.url);
  const agent = emulated(home, await executable('fleet-agent', 'arm64'));
  expect(await agent(['--version']).ended).toEqual({ code: 0, stdout: `fleet-agent/${version}\n`, stderr: '' });
  const running = agent(['run', '--heartbeat-seconds', '1']);
  await server.until(() => server.links.some(({ frames }) => frames.some(({ type }) => type === 'heartbeat')));
  running.kill('SIGTERM');
  await running.ended;
});

withArm('on arm64 the client shows its version, signs in, lists and filters with jq', async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  await factories(world).robot('amr-007');
  const cli = emulated(home, await executable('cli', 'arm64'));
  expect(await cli(['--version']).ended).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const login = await cli(['login', '--base-url', world.url, '--token', '-'], { input: world.orgToken }).ended;
  expect(login.code).toBe(0);
  expect((await cli(['robots', 'list']).ended).stdout).toContain('amr-007');
  expect(await cli(['robots', 'list', '--jq', '.items[].name']).ended).toEqual({
    code: 0,
    stdout: 'amr-007\n',
    stderr: '',
  });
});

withArm('on arm64 a shell of an agent has a terminal, by the native part in the executable', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startHome();
  await using home = await startHome({ SERVICE_TOKEN: world.orgToken, TEST_BASE_URL: world.url });
  const { value: key } = (await factories(world).key()) as { value: string };
  const agent = emulated(robot, await executable('fleet-agent', 'arm64'));
  const flags = ['run', '--allow-shell', '--name', 'amr-007', '--backend-url', world.url];
  const running = agent(flags, { env: { SERVICE_ENROLLMENT_KEY: key } });
  await running.sees('Connected to');
  const line = ['robots', 'shell', 'amr-007', '-t', '--', 'sh', '-c', 'tty; cat /proc/$PPID/cmdline'];
  const { code, stdout } = await home.start(line, { columns: 80 }).ended;
  expect(stdout).toMatch(/\/dev\/pts\/\d+\r\n/);
  // Without the native part its parent would be `script`.
  expect(stdout).toContain('fleet-agent-linux-arm64');
  expect(code).toBe(0);
  running.kill('SIGTERM');
  await running.ended;
});
