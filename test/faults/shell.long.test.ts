import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { shellSession } from '../../cli/live/shell/session.ts';
import { startAgent } from '../support/agent-process.ts';
import { startHome } from '../support/cli.ts';
import { startCutter } from '../support/cutting-proxy.ts';
import { startKillableService } from '../support/killable-service.ts';
import { startShellRobot } from '../support/shell-robot.ts';
import { startShellScene } from '../support/shell-scene.ts';
import { runLine } from '../support/shell-line.ts';
import { startIsolatedWorld } from '../support/world.ts';

const isShort = process.env['FAULT_ROUNDS'] === undefined;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const megabyte = 1_000_000;

test(
  'the client brings a megabyte there and back byte for byte, however often its connection is cut',
  { timeout: 120_000 },
  async () => {
    await using scene = await startShellScene();
    const { cutter, home } = scene;
    const cuts = isShort ? 3 : 20; // a second or two each
    cutter.after = () => (cutter.cuts < cuts ? randomInt(400, Math.floor((2 * megabyte) / cuts)) : undefined);
    const path = join(home.path, 'in');
    await writeFile(path, randomBytes(megabyte));
    const { code, stdout, stderr } = await runLine(scene, `cli robots shell amr-007 -- cat < '${path}'`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(sha256(stdout)).toBe(sha256(await readFile(path)));
    expect(cutter.cuts).toBe(cuts);
  },
);

/** Runs a command in a session of the client whose connections can be cut, and gives it the input as fast as it may come. */
async function runSession(command: string[], input: Buffer, pauseMs: number, isCutAfter?: () => number) {
  await using world = await startIsolatedWorld();
  await using cutter = await startCutter(world.url, () => true);
  await using robot = await startShellRobot(world);
  // The first connection comes as far as `ready`: what has not begun is not gone on with.
  const begunBytes = () => (cutter.cuts === 0 ? 4_000 : 0);
  if (isCutAfter) cutter.after = () => (cutter.cuts < 25 ? begunBytes() + isCutAfter() : undefined);
  const url = `${cutter.url.replace('http', 'ws')}/api/robots/${robot.id}/shell/ws`;
  const headers = { Authorization: `Bearer ${world.orgToken}` };
  const output: Buffer[] = [];
  let rest = input;
  const write = () => {
    for (let isWanted = true; isWanted && rest.length > 0;) {
      const piece = rest.subarray(0, randomInt(1, 65_536));
      rest = rest.subarray(piece.length);
      isWanted = session.write(piece);
    }
    if (rest.length === 0) session.eof();
  };
  const session = shellSession({
    // One that is cut on its way up is tried again, as the client does.
    connector: {
      silentSeconds: 30,
      open: async () => ({ socket: new WebSocket(url, 'fleet.shell.v1', { headers }) }),
    },
    robotId: robot.id,
    start: { tty: false, command },
    size: () => ({ cols: 80, rows: 24 }),
    onReady() {
      write();
      // With as much under way as may be.
      if (!isCutAfter) setTimeout(cutter.cutAll, 200);
    },
    onRoom: write,
    onOutput(_, bytes) {
      output.push(bytes);
      session.written(bytes.length);
    },
    onWaiting: () => undefined,
    onResumed: () => undefined,
    pauses: () => ({ next: () => ({ done: false, value: pauseMs }) }),
  });
  return { end: await session.ended, output: Buffer.concat(output), cuts: cutter.cuts };
}

test(
  'a session that is cut 25 times, and does not wait long, loses and doubles nothing',
  { timeout: 60_000 },
  async () => {
    const input = randomBytes(megabyte);
    const { end, output, cuts } = await runSession(['cat'], input, 10, () => randomInt(400, 80_000));
    expect(end).toMatchObject({ code: 0 });
    expect(output.length).toBe(megabyte);
    expect(sha256(output)).toBe(sha256(input));
    expect(cuts).toBe(25);
  },
);

test('input that a command took while nobody was connected makes room for more', async () => {
  const input = randomBytes(3 * megabyte);
  const { end, output, cuts } = await runSession(['sh', '-c', 'sleep 1; cat | wc -c'], input, 2_000);
  expect(end).toMatchObject({ code: 0 });
  expect(Number(output.toString())).toBe(input.length);
  expect(cuts).toBe(1);
});

test('a service that is killed in the middle of a command is not noticed in what it prints and how it ends', async () => {
  await using service = await startKillableService();
  await using operator = await startHome({ SERVICE_TOKEN: service.token, TEST_BASE_URL: service.url.origin });
  await using robot = await startHome();
  const fleet = ['--site', 'Osaka'];
  await operator.cli(['sites', 'create', 'Osaka']);
  await operator.cli(['fleets', 'create', 'pickers', ...fleet]);
  const { stdout: key } = await operator.cli(['keys', 'new', ...fleet, '--fleet', 'pickers']);
  await using agent = startAgent(robot, [
    ...['--allow-shell', '--backend-url', service.url.origin, '--enrollment-key', key.trim(), '--name', 'amr-007'],
  ]);
  await agent.sees('Connected to');
  const count = 'for n in $(seq 100); do echo $n; sleep 0.05; done; exit 3';
  const running = operator.start(['robots', 'shell', 'amr-007', '--', 'sh', '-c', count], { input: '' });
  await running.sees('\n20\n');
  await service.killServer();
  await service.startServer();
  const lines = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join('');
  expect(await running.ended).toEqual({ code: 3, stdout: lines, stderr: '' });
});
