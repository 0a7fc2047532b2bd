import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startHome } from '../../../support/cli.ts';
import { startShellRobot } from '../../../support/shell-robot.ts';
import { personAt, startShellScene } from '../../../support/shell-scene.ts';
import { type Tmux } from '../../../support/tmux.ts';
import { startCutter } from '../../../support/cutting-proxy.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

const withTmux = testWith('tmux');

/** Opens a shell, and gives it a prompt that can be waited for. */
async function enter(person: Tmux, robot = 'amr-007'): Promise<void> {
  await person.type(`clear; cli robots shell ${robot}\r`);
  await person.sees(`Connected to`);
  await person.type("PS1='robot> '; clear\r");
  await person.sees(/^robot>$/m);
}

/** The exit code of what ran last here. */
async function lastCode(person: Tmux): Promise<string | undefined> {
  await person.type('echo "code $?"\r');
  await person.sees(/^code \d+$/m);
  return /^code (\d+)$/m.exec(await person.screen())?.[1];
}

withTmux('a shell is like one here: prompt, size, Ctrl-C, whole screens, and the code of its end', async () => {
  await using scene = await startShellScene();
  await using person = await scene.person();
  const before = await person.modes();
  await person.type('cli robots shell amr-007\r');
  await person.sees(/^Connected to amr-007 · ~\. to disconnect$/m);
  await person.type("PS1='robot> '; clear\r");
  await person.sees(/^robot>$/m);
  await person.type('echo $TERM; stty size\r');
  await person.sees(/^tmux-256color\n24 80$/m);
  await person.resize(100, 30);
  await person.type('clear; stty size\r');
  await person.sees(/^30 100$/m);
  await person.type('sleep 1000\r\u0003');
  await person.sees(/\^C/);
  // What a program draws without a carriage return stays where it drew it.
  await person.type(String.raw`stty -opost; printf '\r\nab\ncd\r\n'; stty opost` + '\r');
  await person.sees(/^ab\n {2}cd$/m);
  await person.type('exit 5\r');
  await person.sees('Connection to amr-007 closed.');
  expect(await lastCode(person)).toBe('5');
  expect(await person.modes()).toBe(before);
});

withTmux('escapes count after a newline alone, and one of them suspends it', async () => {
  await using scene = await startShellScene();
  await using person = await scene.person();
  const before = await person.modes();
  await enter(person);
  await person.type('echo a~.b\r');
  await person.sees(/^a~\.b\nrobot>$/m); // its prompt is there: one that came later would stand behind the help
  await person.type('~?');
  await person.sees('Supported escape sequences:');
  await person.type('~~x');
  await person.sees(/^~x$/m);
  await person.type('\u0003\r~\u001a');
  await person.sees('Stopped');
  expect(await person.modes()).toBe(before);
  await person.type('clear; fg\r\r');
  await person.sees(/^robot>$/m);
  await person.type('echo back $((3 * 3))\r');
  await person.sees(/^back 9$/m);
  await person.type('~.');
  await person.sees('Connection to amr-007 closed.');
  expect(await lastCode(person)).toBe('255');
  expect(await person.modes()).toBe(before);
});

withTmux('who leaves in the middle of what a program prints is told that the connection is closed', async () => {
  await using scene = await startShellScene();
  await using person = await scene.person();
  await enter(person);
  await person.type('yes\r');
  await person.sees(/^y$/m);
  await person.type('\r~.');
  await person.sees('Connection to amr-007 closed.');
  expect(await lastCode(person)).toBe('255');
});

/** By each of them it ends in the middle of a program that has the whole screen. */
const waysOut: [name: string, code: string, leave: (person: Tmux, home: string) => Promise<void>][] = [
  ['~.', '255', (person) => person.type('\u001b\r~.')],
  ['SIGTERM', '143', (person) => person.signal('SIGTERM')],
  ['SIGHUP', '129', (person) => person.signal('SIGHUP')],
  ['an error of its own', '1', (_, home) => writeFile(join(home, 'throw'), '')],
];

withTmux.each(waysOut)('after %s the terminal is as it was before', async (_, code, leave) => {
  await using scene = await startShellScene();
  const hook = join(scene.home.path, 'hook.cjs');
  const wait = `setInterval(() => { if (require('fs').existsSync('${scene.home.path}/throw')) throw new Error('ours'); }, 20).unref()`;
  await writeFile(hook, wait);
  await using person = await scene.person({ NODE_OPTIONS: `--require ${hook}` });
  const before = await person.modes();
  await enter(person);
  await person.type(String.raw`printf '\033[?1049h\033[?25l\033[?1000h\033[?1006hwhole screen'; cat` + '\r');
  await person.sees(/^whole screen/m);
  expect(await person.screenState()).toEqual({ isAlternate: true, hasCursor: false, hasMouse: true });
  expect(await person.modes()).not.toBe(before);
  await leave(person, scene.home.path);
  await person.sees(/^local>$/m);
  expect(await person.modes()).toBe(before);
  expect(await person.screenState()).toEqual({ isAlternate: false, hasCursor: true, hasMouse: false });
  expect(await lastCode(person)).toBe(code);
});

withTmux(
  'a lost connection is told in one line, comes back by itself, and nothing that was typed is lost',
  async () => {
    await using scene = await startShellScene();
    await using person = await scene.person();
    await enter(person);
    await person.type('echo here; echo half');
    await person.sees('echo half');
    scene.cutter.cutAll();
    await person.sees(/^connection lost, reconnecting in \d s… \(~\. to give up\)$/m);
    await person.type('; echo typed-away\r');
    await person.sees(/^robot>$/m);
    const screen = await person.screen();
    expect(screen.trimEnd()).toBe('robot> echo here; echo half; echo typed-away\nhere\nhalf\ntyped-away\nrobot>');
    await person.type('exit\r');
    await person.sees('closed.');
  },
);

withTmux('who goes on with a shell that is recorded by now is told of it', async () => {
  await using scene = await startShellScene();
  await using person = await scene.person();
  await enter(person);
  await scene.world.call('PATCH', '/api/org', { body: { record_shells: true } });
  await person.type('echo he\\re\r');
  await person.sees(/^here$/m);
  for (let times = 0; times < 2; times += 1) {
    scene.cutter.cutAll();
    await person.sees('connection lost, reconnecting');
    await person.type(`echo ba\\ck ${times}\r`);
    await person.sees(new RegExp(`^back ${times}$`, 'm'));
  }
  // Once: it has been said.
  expect((await person.screen()).match(/recorded from here on/g)).toHaveLength(1);
  await person.type('exit\r');
  await person.sees('closed.');
});

withTmux(
  'a connection that does not come back within the grace ends with 255, and so does giving up before',
  async () => {
    await using world = await startIsolatedWorld();
    await using robot = await startShellRobot(world, { limits: { graceMs: 3_000 } });
    await using home = await startHome();
    for (const isPatient of [true, false]) {
      await using cutter = await startCutter(world.url, () => true);
      await using person = await personAt(home, cutter.url, { SERVICE_TOKEN: world.orgToken });
      const before = await person.modes();
      await enter(person, robot.id);
      await cutter[Symbol.asyncDispose]();
      await person.sees('connection lost, reconnecting');
      if (!isPatient) await person.type('~.');
      await person.sees(/^local>$/m);
      if (isPatient) await person.sees('Error: the connection was lost and did not return within 3 s');
      expect(await lastCode(person)).toBe('255');
      expect(await person.modes()).toBe(before);
    }
  },
);
