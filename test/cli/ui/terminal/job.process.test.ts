import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { personAt, startShellScene, type ShellScene } from '../../../support/shell-scene.ts';
import { type Tmux } from '../../../support/tmux.ts';
import { testWith } from '../../../support/tools.ts';
import { builtUiProgram, type UiProgram } from '../../../support/ui-process.ts';

const withTmux = testWith('tmux');
const before = { isAlternate: false, hasCursor: true, hasMouse: false };
const inside = { isAlternate: true, hasCursor: false, hasMouse: false };

let program: UiProgram;
beforeAll(async () => void (program = await builtUiProgram()));
afterAll(() => program[Symbol.asyncDispose]());

/** Somebody before a terminal, in which `program` hands the terminal to this line when `h` is typed. */
async function personWith(scene: ShellScene, line: readonly string[]): Promise<Tmux> {
  const passedOn = ['--base-url', scene.cutter.url];
  const person = await personAt(scene.home, scene.cutter.url, {
    ...program.env,
    SERVICE_TOKEN: scene.world.orgToken,
    LINE: JSON.stringify(line),
    PASSED_ON: JSON.stringify(passedOn),
  });
  const file = join(scene.home.path, 'bin', 'program');
  await writeFile(file, `#!/bin/sh\nexec ${program.words.map((word) => `'${word}'`).join(' ')}\n`);
  await chmod(file, 0o755);
  return person;
}

const stops = [
  ['Ctrl-Z', (person: Tmux) => person.type('\u001a\u001a')],
  ['SIGTSTP', (person: Tmux) => person.signal('SIGTSTP')],
  ['SIGSTOP', (person: Tmux) => person.signal('SIGSTOP')],
] as const;

withTmux.each(stops)(
  '%s stops it and gives the terminal back; fg goes on, in the size that the window has by then',
  async (_, stop) => {
    await using scene = await startShellScene();
    await using person = await scene.person();
    const modes = await person.modes();
    await person.type('clear; cli ui\r');
    await person.sees(/^ Overview /m);
    await person.type('2');
    await person.sees(/^.  amr-007 /m);
    await stop(person);
    await person.sees('Stopped');
    expect(await person.modes()).toBe(modes);
    await person.resize(60, 15);
    await person.type('clear; fg\r');
    await person.sees(/^.  amr-007 /m);
    expect(await person.screenState()).toEqual({ ...inside, hasMouse: true });
    await person.resize(80, 24);
    await person.type('q');
    await person.sees(/^local>$/m);
    expect(await person.screenState()).toEqual(before);
    expect(await person.modes()).toBe(modes);
  },
);

withTmux('another line gets the whole terminal, vi on a robot too, and gives it back', async () => {
  await using scene = await startShellScene();
  await using person = await personWith(scene, ['robots', 'shell', 'amr-007']);
  const modes = await person.modes();
  await person.type('clear; program\r');
  await person.sees(/^tick \d+ 80x24/m);
  await person.type('h');
  await person.sees('Connected to amr-007');
  expect(await person.screenState()).toEqual(before);
  await person.type("PS1='robot> '; clear\r");
  await person.sees(/^robot>$/m);
  await person.type('vi -u NONE\r');
  await person.sees(/^~$/m);
  expect(await person.screenState()).toMatchObject({ isAlternate: true });
  await person.type('ityped in vi\u001b:q!\r');
  await person.sees(/^robot>/m);
  // The window has another size by then.
  await person.resize(100, 30);
  await person.type('exit\r');
  await person.sees(/^tick \d+ 100x30 code 0$/m);
  expect(await person.screenState()).toEqual(inside);
  // Not one key was lost, and none of those that were the robot's came here.
  await person.type('abc');
  await person.sees('code 0[a][b][c]');
  await person.type('q');
  await person.sees(/^local>$/m);
  expect(await person.screenState()).toEqual(before);
  expect(await person.modes()).toBe(modes);
});

withTmux('a line that fails says why, and goes when a key was pressed', async () => {
  await using scene = await startShellScene();
  await using person = await personWith(scene, ['robots', 'inspect', 'nobody']);
  await person.type('clear; program\r');
  await person.sees(/^tick/m);
  await person.type('h');
  await person.sees('Error: ');
  await person.sees('Ended with exit code 5. Press any key to return.');
  expect(await person.screenState()).toEqual(before);
  await person.type('\u001a');
  await person.sees('Stopped');
  await person.type('clear; fg\r');
  await person.sees(/^program\n+Ended with exit code 5\./m);
  await person.type('k');
  await person.sees(/^tick \d+ 80x24 code 5$/m);
  await person.type('q');
  await person.sees(/^local>$/m);
});

withTmux('a shell that is suspended stops the interface below it, and both go on together', async () => {
  await using scene = await startShellScene();
  await using person = await personWith(scene, ['robots', 'shell', 'amr-007']);
  const modes = await person.modes();
  await person.type('clear; program\r');
  await person.sees(/^tick/m);
  await person.type('h');
  await person.sees('Connected to amr-007');
  await person.type("PS1='robot> '; clear\r");
  await person.sees(/^robot>$/m);
  await person.type('~\u001a');
  await person.sees('Stopped');
  expect(await person.modes()).toBe(modes);
  await person.type('clear; fg\r\r');
  await person.sees(/^robot>$/m);
  await person.type('exit\r');
  await person.sees(/^tick \d+ 80x24 code 0$/m);
  await person.type('q');
  await person.sees(/^local>$/m);
  expect(await person.modes()).toBe(modes);
});

withTmux('SIGTERM ends the line that has the terminal, too', async () => {
  await using scene = await startShellScene();
  await using person = await personWith(scene, ['robots', 'shell', 'amr-007']);
  const modes = await person.modes();
  await person.type('clear; program; echo "code $?"\r');
  await person.sees(/^tick/m);
  await person.type('h');
  await person.sees('Connected to amr-007');
  await person.type("printf '\\033[?1049hwhole screen'; cat\r");
  await person.sees(/^whole screen/m);
  await person.signal('SIGTERM');
  await person.sees('code 143');
  expect(await person.screenState()).toEqual(before);
  expect(await person.modes()).toBe(modes);
});

withTmux('Ctrl-C on a line that has the terminal is meant for that line', async () => {
  await using scene = await startShellScene();
  await using person = await personWith(scene, ['robots', 'list', '--watch']);
  await person.type('clear; program\r');
  await person.sees(/^tick/m);
  await person.type('h');
  await person.sees('Ctrl-C ends');
  await person.type('\u0003');
  await person.sees('Ended with exit code 130.');
  await person.type(' ');
  await person.sees(/^tick \d+ 80x24 code 130$/m);
  expect(await person.screenState()).toEqual(inside);
  await person.type('q');
  await person.sees(/^local>$/m);
});

withTmux('what is copied is in the clipboard of the terminal', async () => {
  await using scene = await startShellScene();
  await using person = await personWith(scene, []);
  await person.type('tmux set-option -g set-clipboard on; clear; program\r');
  await person.sees(/^tick/m);
  await person.type('y');
  await person.type('q');
  await person.sees(/^local>$/m);
  await person.type('clear; tmux show-buffer; echo; echo $((6 * 7))\r');
  await person.sees('42');
  expect(await person.screen()).toContain('für Elise\n42\n');
});
