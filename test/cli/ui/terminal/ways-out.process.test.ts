import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startUiScreen, type UiScreen } from '../../../support/ui-screen.ts';
import { together } from '../../../support/together.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

/** Wrapping, cursor, screen: nothing may come behind these. */
const lastBytes = '\u001b[?7h\u001b[?25h\u001b[?1049l';

/** A service with a robot, and the interface on a terminal. */
const startUi = (env: Record<string, string> = {}, flags: readonly string[] = []) =>
  together(async (own) => {
    const world = own(await startIsolatedWorld());
    const home = own(await startHome());
    await factories(world).robot('amr-007');
    const screen = startUiScreen([process.execPath, bin, 'ui', '--base-url', world.url, ...flags], {
      env: { HOME: home.path, SERVICE_TOKEN: world.orgToken, ...env },
    });
    own({ [Symbol.asyncDispose]: async () => screen[Symbol.dispose]() });
    await screen.sees('amr-007');
    return { home, screen };
  });

/** Leaves it; resolves when all that it wrote has come. */
async function quit(screen: UiScreen): Promise<void> {
  screen.type('q');
  await screen.ended;
  await expect.poll(() => screen.written().endsWith(lastBytes)).toBe(true);
}

const ways: [name: string, code: number, leave: (screen: UiScreen, home: Home) => unknown][] = [
  ['q', 0, (screen) => screen.type('q')],
  ['Ctrl-C', 0, (screen) => screen.type('\u0003')],
  ['SIGINT', 130, (screen) => process.kill(screen.pid, 'SIGINT')],
  ['SIGTERM', 143, (screen) => process.kill(screen.pid, 'SIGTERM')],
  ['SIGHUP', 129, (screen) => process.kill(screen.pid, 'SIGHUP')],
  ['SIGQUIT', 131, (screen) => process.kill(screen.pid, 'SIGQUIT')],
];

test.each(ways)('after %s the terminal is as it was before', async (_, code, leave) => {
  await using ui = await startUi();
  expect(ui.screen.isAlternate()).toBe(true);
  leave(ui.screen, ui.home);
  expect(await ui.screen.ended).toBe(code);
  await expect.poll(() => ui.screen.written().endsWith(lastBytes)).toBe(true);
  await expect.poll(() => ui.screen.isAlternate()).toBe(false);
});

test.each(['throw new Error("injected")', 'Promise.reject(new Error("injected"))'])(
  'a fault of its own, %s, is told on the screen that was there before',
  async (fault) => {
    await using home = await startHome();
    const hook = join(home.path, 'hook.cjs');
    const file = join(home.path, 'fault');
    await writeFile(hook, `setInterval(() => { if (require('fs').existsSync('${file}')) { ${fault}; } }, 20).unref()`);
    await using ui = await startUi({ NODE_OPTIONS: `--require ${hook}` });
    await writeFile(file, '');
    expect(await ui.screen.ended).toBe(1);
    await ui.screen.sees('Error: the client failed: injected');
    await expect.poll(() => ui.screen.isAlternate()).toBe(false);
    await expect.poll(() => ui.screen.written()).toContain('This is a bug of the client.');
    const [, told = ''] = ui.screen.written().split(lastBytes);
    expect(told).toContain('This is a bug of the client.');
    expect(told).not.toContain('\u001b[?');
  },
);

test('it ends with the window that it is in', async () => {
  await using ui = await startUi();
  ui.screen.hangUp();
  await expect.poll(() => existsSync(`/proc/${ui.screen.pid}`)).toBe(false);
});

test('without a terminal, or on one that obeys nothing, it says what to use instead', async () => {
  await using home = await startHome();
  const instead = expect.stringContaining('use: cli robots list --watch') as string;
  expect(await home.cli(['ui'])).toMatchObject({ code: 2, stdout: '', stderr: instead });
  using dumb = startUiScreen([process.execPath, bin, 'ui'], { env: { HOME: home.path, TERM: 'dumb' } });
  expect(await dumb.ended).toBe(2);
  await expect.poll(() => dumb.written()).toContain('use: cli robots list --watch');
  using piped = startUiScreen(['/bin/sh', '-c', `echo | '${process.execPath}' '${bin}' ui`], {
    env: { HOME: home.path },
  });
  expect(await piped.ended).toBe(2);
  expect(piped.written()).not.toContain('\u001b[?1049h');
});

const colour = /\u001b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9\d|10\d)(?:;[\d;]*)?m/;

test('states have their colours', async () => {
  await using ui = await startUi();
  await quit(ui.screen);
  expect(ui.screen.written()).toMatch(colour);
});

test('where there are 16 colours no other is named', async () => {
  await using ui = await startUi({ TERM: 'xterm' });
  await quit(ui.screen);
  expect(ui.screen.written()).toMatch(colour);
  expect(ui.screen.written()).not.toMatch(/\u001b\[[34]8[;:]/);
});

test.each([
  [{ NO_COLOR: '1' }, []],
  [{}, ['--no-color']],
] as const)('with %j and %j no colour is written', async (env, flags) => {
  await using ui = await startUi(env, flags);
  await quit(ui.screen);
  expect(ui.screen.written()).not.toMatch(colour);
});

test('where the locale is not UTF-8 its own signs are those of ASCII', async () => {
  await using ui = await startUi({ LANG: 'C' });
  await quit(ui.screen);
  expect(ui.screen.written()).toMatch(/^[\u0000-\u007e]*$/);
});
