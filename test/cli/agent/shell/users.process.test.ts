import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../cli/agent/orders/command.ts';
import { startShellRobot } from '../../../support/shell-robot.ts';
import { openShell, startShell } from '../../../support/shell-viewer.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

testWith('root')('a shell of another user has its rights, its groups and its terminal, and no more', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world, { user: 'nobody' });
  // As an agent may have them that was started by somebody who has more than one.
  const own = process.getgroups?.() ?? [];
  process.setgroups?.([...own, 27, 44]);
  onTestFinished(() => process.setgroups?.(own));
  const groups = execFileSync('id', ['-G', 'nobody'], { encoding: 'utf8' }).trim();
  const script =
    'id -u; id -G; echo $USER $HOME; pwd; echo o\\pened >"$(tty)"; cat /proc/1/environ; ls -l /proc/self/fd';
  const command = ['sh', '-c', script];
  // Its terminal must not be open in the next one.
  using other = await openShell(world.url, robot.id, { token: world.orgToken });
  await other.closed; // the login shell of nobody lets nobody in
  using first = await startShell(world.url, robot.id, world.orgToken, { command: ['sleep', '1000'] });
  expect(await first.next('ready')).toMatchObject({ user: 'nobody' });
  using viewer = await startShell(world.url, robot.id, world.orgToken, { command });
  await viewer.next('exit');
  const uid = execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).trim();
  expect(viewer.text()).toContain(`${uid}\r\n${groups}\r\nnobody /nonexistent\r\n/\r\nopened\r\n`);
  expect(viewer.text()).toContain('/proc/1/environ: Permission denied');
  expect(viewer.text()).not.toContain('ptmx');
  using onPipes = await startShell(world.url, robot.id, world.orgToken, { command: ['id', '-G'], tty: false });
  await onPipes.next('exit');
  expect(onPipes.text()).toBe(`\u0001${groups}\n`);
});

testWith('vi')('vim draws, takes keys, and leaves', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using viewer = await startShell(world.url, robot.id, world.orgToken, {
    cols: 80,
    rows: 24,
    command: [existsSync('/usr/bin/vim') ? 'vim' : 'vi', '-u', 'NONE', '-N'],
  });
  // The alternate screen, and a line that stands where there is no text.
  await viewer.sees(/\u001b\[\?1049h[^]*~/);
  viewer.type('ihello from vim\u001b');
  await viewer.sees('hello from vim');
  viewer.send({ type: 'resize', cols: 120, rows: 40 });
  await viewer.sees('\u001b[39;1H');
  viewer.type(':set columns? lines?\r');
  await viewer.sees(/columns=120[^]*lines=40/);
  viewer.type('\r:q!\r');
  expect(await viewer.next('exit')).toEqual({ type: 'exit', code: 0 });
  expect(viewer.text()).toContain('\u001b[?1049l');
});

testWith('htop')('htop draws, follows the size, and leaves', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using viewer = await startShell(world.url, robot.id, world.orgToken, { cols: 80, rows: 24, command: ['htop'] });
  await viewer.sees('F10');
  await viewer.sees(/Load average/);
  viewer.send({ type: 'resize', cols: 120, rows: 40 });
  // The last line has another number then.
  await viewer.sees('\u001b[40;');
  viewer.type('q');
  expect(await viewer.next('exit')).toEqual({ type: 'exit', code: 0 });
});

test('no program of the agent gets the terminal of a shell', async () => {
  await using world = await startIsolatedWorld();
  await using robot = await startShellRobot(world);
  using shell = await openShell(world.url, robot.id, { token: world.orgToken });
  await shell.sees(/./);
  using second = await startShell(world.url, robot.id, world.orgToken, { command: ['ls', '-l', '/proc/self/fd'] });
  using third = await startShell(world.url, robot.id, world.orgToken, {
    command: ['ls', '-l', '/proc/self/fd'],
    tty: false,
  });
  const lines: string[] = [];
  await runCommand({
    command: 'ls',
    args: ['-l', '/proc/self/fd'],
    environment: {},
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    onLine: (line) => void lines.push(line),
  });
  await Promise.all([second.next('exit'), third.next('exit')]);
  for (const text of [second.text(), third.text(), lines.join()]) {
    expect(text).toContain('/proc/');
    expect(text).not.toContain('ptmx');
  }
});
