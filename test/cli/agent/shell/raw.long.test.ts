import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bytesWritten, isRunning, residentBytes } from '../../../support/processes.ts';
import { startShellRobot } from '../../../support/shell-robot.ts';
import { openShell, startShell } from '../../../support/shell-viewer.ts';
import { until } from '../../../support/until.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

/** How often a program prints and ends; 200 in `npm run test:long`. */
const tails = process.env['FAULT_ROUNDS'] === undefined ? 40 : 200;

test('bytes go both ways unharmed, the size is as asked for, and the exit code is the reason of the close', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using viewer = await openShell(world.url, robot.id, { token: world.orgToken, query: '?cols=132&rows=40' });
  viewer.type('stty size; tty\n');
  await viewer.sees(/40 132\r\n\/dev\/pts\/\d+\r\n/);
  viewer.type('stty -a\n');
  await viewer.sees(/ iutf8/);
  const program = "stty raw -echo; printf re\\ady; head -c 4 | od -An -tx1; printf '\\377\\376\\000\\200'; exit 3";
  viewer.type(`exec sh -c "${program}"\n`);
  await viewer.sees(/ready$/);
  viewer.type(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  expect(await viewer.closed).toEqual({ code: 1000, reason: 'exit 3' });
  expect(viewer.output().subarray(-4)).toEqual(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  expect(viewer.text()).toContain(' ff fe 00 80\n');
});

test('the environment is that of a login and holds nothing of the agent', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using viewer = await openShell(world.url, robot.id, { token: world.orgToken });
  viewer.type("tr '\\0' '\\n' < /proc/$$/environ | sort | tr '\\n' ' '; echo do''ne\n");
  await viewer.sees('done');
  const names = [...viewer.text().matchAll(/([A-Z_]+)=/g)].map(([, name]) => name);
  expect(names).toEqual(['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'SVC_SESSION_ID', 'TERM', 'USER']);
});

test('what is typed into a program that does not read waits, and the agent goes on meanwhile', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  const open = () => openShell(world.url, robot.id, { token: world.orgToken });
  using busy = await open();
  busy.type('stty raw -echo; echo re\\ady; sleep 2; head -c 300000 | tr -d x | wc -c; exit\n');
  await busy.sees('ready');
  const line = Buffer.alloc(30_000, 'x');
  for (let sent = 0; sent < 10; sent += 1) busy.type(line);
  // The other shell does not wait for it.
  using other = await open();
  other.type('echo he\\llo\n');
  await other.sees('hello');
  expect((await busy.closed).reason).toBe('exit 0');
  expect(busy.text()).toMatch(/ready\n0\n/);
});

test('the end of what a program printed is never lost', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  const lost: number[] = [];
  const one = async (round: number) => {
    const script = 'seq 5000; echo the-end; exit 7';
    // A login shell takes its time to begin.
    const isRaw = round % 4 === 0;
    using viewer = isRaw
      ? await openShell(world.url, robot.id, { token: world.orgToken })
      : await startShell(world.url, robot.id, world.orgToken, { command: ['sh', '-c', script] });
    if (isRaw) viewer.type(`exec sh -c "${script}"\n`);
    const { reason } = await viewer.closed;
    const code = viewer.frames.find((frame) => frame.type === 'exit')?.code;
    if ((isRaw ? reason !== 'exit 7' : code !== 7) || !/\n4999\r\n5000\r\nthe-end\r\n$/.test(viewer.text()))
      lost.push(round);
  };
  for (let round = 0; round < tails; round += 4) await Promise.all([0, 1, 2, 3].map((each) => one(round + each)));
  expect(lost).toEqual([]);
}, 240_000);

test('a viewer who stops reading stops the program, costs no memory, and gets the rest when it reads again', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using viewer = await openShell(world.url, robot.id, { token: world.orgToken });
  viewer.type('echo pid $$; exec seq 1 3000000\n');
  await viewer.sees(/pid \d+\r\n/);
  const pid = Number(/pid (\d+)\r/.exec(viewer.text())?.[1]);
  const before = residentBytes();
  viewer.socket.pause();
  // It waits for its terminal.
  let written = -1;
  await until(async () => {
    const last = written;
    written = bytesWritten(pid);
    await sleep(300);
    return written === last && written > 0;
  });
  expect(written).toBeLessThan(16 * 2 ** 20);
  expect(residentBytes() - before).toBeLessThan(64 * 2 ** 20);
  expect(isRunning(pid)).toBe(true);
  viewer.socket.resume();
  expect((await viewer.closed).reason).toBe('exit 0');
  expect(viewer.text()).toMatch(/2999999\r\n3000000\r\n$/);
});
