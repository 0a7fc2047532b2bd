import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { terminalSanitizer } from '../../../cli/live/playback/terminal-sanitizer.ts';
import { bin, signedInHome, type Home } from '../../support/cli.ts';
import { openShell } from '../../support/dial-back.ts';
import { finished, readRecording, recordedRobot } from '../../support/recordings.ts';
import { testWith } from '../../support/tools.ts';
import { startWorld, type World } from '../../support/world.ts';

/** Records what a robot says in one go, and gives the id of the session. */
async function recorded(world: World, ...said: string[]): Promise<string> {
  using robot = await recordedRobot(world);
  using shell = await openShell(world.url, robot.agent, robot.id, world.orgToken);
  for (const each of said) shell.robot.socket.send(Buffer.from(each));
  shell.robot.socket.close(1000, 'exit 0');
  await shell.viewer.closed;
  await finished(world, shell.open.session_id);
  return shell.open.session_id;
}

test('a recording reaches a file as it is, and the list tells whose shell it was', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const set = await home.cli(['org', 'update', '--record-shells', 'on', '--fields', 'record_shells']);
  expect(set).toMatchObject({ code: 0, stdout: 'true\n' });
  const id = await recorded(world, '\u001b]52;c;c2VjcmV0\u0007$ \r\n');
  const file = await home.cli(['sessions', 'download', id]);
  expect(file.code).toBe(0);
  expect(readRecording(file.stdout).shown).toBe('\u001b]52;c;c2VjcmV0\u0007$ \r\n');
  const list = await home.cli(['sessions', 'list', '--robot', 'amr-1', '--fields', 'id,recorded,close_code']);
  expect(list).toMatchObject({ code: 0, stdout: `${id}\ttrue\t1000\n` });
  expect(await home.cli(['sessions', 'play', id])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('requires a terminal'),
  });
  expect(await home.cli(['sessions', 'download', world.orgId])).toMatchObject({ code: 5 });
});

test('what acts beyond the picture is left out of what is played, also where it is cut', () => {
  const cases: [string, string][] = [
    ['plain \u001b[1;31mred\u001b[0m', 'plain \u001b[1;31mred\u001b[0m'],
    ['a\u001b]52;c;c2VjcmV0\u0007b', 'ab'],
    ['a\u001b]0;title\u001b\\b', 'ab'],
    ['a\u009d52;c;x\u009cb', 'ab'],
    ['a\u001bP$q"p\u001b\\b', 'ab'],
    ['a\u001b_apc\u001b\\\u001b^pm\u001b\\b', 'ab'],
    ['a\u001b]never ends \u001b[1mb', 'a\u001b[1mb'],
    ['a\u001b[6n\u001b[c\u001b[>0q\u001b[?u\u001b[14t\u001b[5i\u001bZ\u0005\u001b[?1$pb', 'ab'],
    ['a\u001b[1;1;1;1;1;1*y\u001b[?1;1;0S\u001b[#R\u001b["v\u001b[&u\u001b[$w\u001b[\'|b', 'ab'],
    ['a\u001b[?4m\u001b[?5g\u001b[>1u\u001b[>4;2mb', 'ab'],
    ['a\u001b[6\u007fn\u001b[6\u00een\u001b\u0005[6n\u001b\u009b6n\u001b[\u009b6n\u009ab', 'anb'],
    ['a\u001b[?25l\u001b[!p\u001b[?2J\u001b[2;4r\u001b[ub', 'a\u001b[?25l\u001b[!p\u001b[?2J\u001b[2;4r\u001b[ub'],
    ['a\u001b[?1049hb', 'a\u001b[H\u001b[2Jb'],
    ['a\u001bcb', 'a\u001b[H\u001b[2Jb'],
    ['a\u009b31mb', 'a\u001b[31mb'],
    ['a\u001b(Bb', 'a\u001b(Bb'],
    ['a\r\nb', 'a\r\u001bDb'],
    [`a\u001b[${'1;'.repeat(1000)}mb`, expect.stringMatching(/^a.*b$/s) as string],
  ];
  for (const [said, told] of cases) {
    const whole = terminalSanitizer()(said);
    expect(whole, JSON.stringify(said)).toEqual(told);
    const piecemeal = terminalSanitizer();
    expect(Array.from(said, (piece) => piecemeal(piece)).join('')).toBe(whole);
  }
});

/** The client on the terminal of a tmux of its own. */
function onScreen(home: Home, world: World) {
  const tmux = (...args: string[]) => execFileSync('tmux', ['-S', join(home.path, 'tmux'), ...args]).toString();
  const run = join(home.path, 'run');
  const env = `SERVICE_TOKEN=${world.orgToken} HOME='${home.path}'`;
  writeFileSync(
    run,
    `#!/bin/sh\n${env} '${process.execPath}' '${bin}' --base-url ${world.url} "$@"; echo "left $?"; stty -a > stty\n`,
  );
  chmodSync(run, 0o700);
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24', '-c', home.path, 'sh');
  return {
    type: (...keys: string[]) => tmux('send-keys', ...keys),
    shows: () => tmux('capture-pane', '-p'),
    [Symbol.dispose]: () => void tmux('kill-server'),
  };
}

testWith('tmux')('a recording is played on another screen, and q brings the terminal back as it was', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const id = await recorded(world, 'one\r\n', '\u001b[?25l\u001b[?1000hstairs\ndown', '\u001b[10;5Hdeep');
  using screen = onScreen(home, world);
  screen.type('echo before', 'Enter');
  screen.type(`./run sessions play ${id} --speed 2 --idle-limit 0.1`, 'Enter');
  await expect.poll(screen.shows).toContain('Press any key to quit');
  const lines = screen.shows().split('\n');
  expect(lines.slice(0, 3)).toEqual(['one', 'stairs', '      down']);
  expect(lines[9]).toBe('    deep');
  expect(lines.join()).not.toContain('before');
  screen.type('q');
  await expect.poll(screen.shows).toContain('left 0');
  expect(screen.shows()).toContain('before');
  screen.type('stty -a | diff - stty && echo alike', 'Enter');
  await expect.poll(screen.shows).toMatch(/^alike/m);
});

testWith('asciinema', 'script')('asciinema plays a recording', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const file = join(home.path, 'shell.cast');
  writeFileSync(file, (await home.cli(['sessions', 'download', await recorded(world, 'grün\r\n')])).stdout);
  // It wants a terminal even to print.
  const read = execFileSync('script', ['-qec', `asciinema cat '${file}'`, '/dev/null'], {
    env: { ...process.env, HOME: home.path, LC_ALL: 'C.UTF-8' },
  });
  expect(read.toString()).toContain('grün');
});
