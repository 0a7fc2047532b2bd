import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../../support/processes.ts';
import { startShellRobot } from '../../../support/shell-robot.ts';
import { openShell, startShell } from '../../../support/shell-viewer.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { until } from '../../../support/until.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

const v1 = 'fleet.shell.v1';

test('a shell begins with start and ready, has the size and the terminal of its viewer, and tells its exit code', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using viewer = await startShell(world.url, robot.id, world.orgToken, { cols: 100, rows: 33, term: 'vt220' });
  expect(await viewer.next('ready')).toMatchObject({ received: 0, grace_seconds: 60, user: 'root' });
  viewer.type('stty size; echo $TERM; tty\n');
  await viewer.sees(/33 100\r\nvt220\r\n\/dev\/pts/);
  // The last one always counts, however many come.
  for (let cols = 60; cols <= 120; cols += 1) viewer.send({ type: 'resize', cols, rows: 44 });
  viewer.type('until [ "$(stty size)" = "44 120" ]; do sleep 0.05; done; echo resi\\zed\n');
  await viewer.sees('resized');
  viewer.type('exit 7\n');
  expect(await viewer.next('exit')).toEqual({ type: 'exit', code: 7 });
  expect(await viewer.closed).toMatchObject({ code: 1000 });
  const acked = viewer.frames.filter(({ type }) => type === 'ack').at(-1);
  expect(acked).toMatchObject({ bytes: expect.any(Number) });
});

test('signals reach what is in the foreground, and a signal that ends the program is told', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using viewer = await startShell(world.url, robot.id, world.orgToken);
  viewer.type('sh -c \'trap "echo got\\$((1+1))" INT; echo wai\\ting; while :; do sleep 0.05; done\'\n');
  await viewer.sees('waiting');
  viewer.send({ type: 'signal', name: 'INT' });
  await viewer.sees('got2');
  viewer.send({ type: 'signal', name: 'KILL' });
  await viewer.sees('Killed');
  // The shell itself is there still, and is in the foreground again.
  viewer.type('echo sti\\ll\n');
  await viewer.sees('still');
  viewer.type('exec sleep 1000\n');
  await viewer.sees('exec sleep 1000\r\n');
  viewer.send({ type: 'signal', name: 'TERM' });
  await until(() => {
    viewer.send({ type: 'signal', name: 'TERM' });
    return viewer.frames.some(({ type }) => type === 'exit');
  });
  expect(await viewer.next('exit')).toEqual({ type: 'exit', signal: 'SIGTERM' });
});

test('without a terminal the outputs are apart, the input ends, and the command is taken word for word', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  const script = 'test -t 0 && exit 9; cat; printf " $0" >&2; exit 5';
  const command = ['sh', '-c', script, "a 'b' $c\n*"];
  using viewer = await startShell(world.url, robot.id, world.orgToken, { tty: false, command });
  await viewer.next('ready');
  viewer.type(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  viewer.send({ type: 'eof' });
  expect(await viewer.next('exit')).toEqual({ type: 'exit', code: 5 });
  expect(viewer.output()).toEqual(Buffer.from("\x01\xff\xfe\x00\x80\x02 a 'b' $c\n*", 'latin1'));

  using none = await startShell(world.url, robot.id, world.orgToken, { tty: false, command: ['no-such-program'] });
  expect(await none.next('exit')).toEqual({ type: 'exit', code: 127 });
  expect(none.text()).toBe('\x02no-such-program: not found\n');
  using inTerminal = await startShell(world.url, robot.id, world.orgToken, { command: ['no-such-program'] });
  expect(await inTerminal.next('exit')).toEqual({ type: 'exit', code: 127 });
  expect(inTerminal.text()).toContain('no-such-program');
  // A job in the background holds its output open, and is not waited for.
  const leaves = ['sh', '-c', 'sleep 1000 & echo $!'];
  using background = await startShell(world.url, robot.id, world.orgToken, { tty: false, command: leaves });
  expect(await background.next('exit')).toEqual({ type: 'exit', code: 0 });
  process.kill(Number(background.text().slice(1)), 'SIGKILL');
});

test('what does not begin by the contract is told so', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world, { limits: { startWithinMs: 300 } });
  const open = () => openShell(world.url, robot.id, { token: world.orgToken, protocol: v1 });
  for (const early of ['{"type":"resize","cols":80,"rows":24}', Buffer.from('ls')]) {
    using viewer = await open();
    viewer.socket.send(early);
    expect(await viewer.next('failed')).toMatchObject({ reason: 'invalid' });
    expect(await viewer.closed).toMatchObject({ code: 1008 });
  }
  // What breaks its schema does not get as far as the agent.
  for (const wrong of ['{"type":"start","cols":0}', 'ls']) {
    using viewer = await open();
    viewer.socket.send(wrong);
    expect(await viewer.closed).toMatchObject({ code: 1008 });
  }
  using silent = await open();
  silent.socket.send('{"type":"unknown"}');
  expect(await silent.closed).toMatchObject({ code: 4408 });
  using later = await startShell(world.url, robot.id, world.orgToken);
  await later.next('ready');
  later.socket.send('{"type":"unknown"}');
  later.type('echo o\\k\n');
  await later.sees('ok');
  later.socket.send('{"type":"signal","name":"STOP"}');
  expect(await later.closed).toMatchObject({ code: 1008 });
});

test('a viewer who leaves ends the shell and what it ran, and with --shell-kill-all also what it left behind', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  const leave = async (id: string, script: string) => {
    using viewer = await startShell(world.url, id, world.orgToken, { command: ['bash', '-c', script] });
    await viewer.sees(/pids \d+ \d+/);
    const [, shell, job] = /pids (\d+) (\d+)/.exec(viewer.text()) ?? [];
    viewer.socket.close(1000);
    return [Number(shell), Number(job)] as const;
  };
  await using folder = await tempDir();
  const whenAsked = (name: string) => `trap ': >${join(folder.path, name)}; exit' HUP`;
  const job = `${whenAsked('job')}; echo pids $$ $BASHPID; sleep 1000 & wait`;
  const willing = `${whenAsked('shell')}; (${job}) & wait`;
  const [shell, foreground] = await leave(robot.id, willing);
  await until(() => !isRunning(shell) && !isRunning(foreground));
  // Both were asked to. One that does not want to is killed 2 s later.
  expect((await readdir(folder.path)).sort()).toEqual(['job', 'shell']);
  const [stubborn] = await leave(robot.id, 'trap "" HUP; sleep 1000 & echo pids $$ $!; while :; do wait; done');
  await until(() => !isRunning(stubborn));
  const nohup = 'trap "" HUP; sleep 1000 >/dev/null 2>&1 & echo pids $$ $!; exit';
  const [, kept] = await leave(robot.id, nohup);
  await using strict = await startShellRobot(world, { killsAll: true });
  const [, gone] = await leave(strict.id, nohup);
  await until(() => !isRunning(gone));
  expect(isRunning(kept)).toBe(true);
  process.kill(kept, 'SIGKILL');
});
