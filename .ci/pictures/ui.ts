import type { Browser } from 'playwright-core';
import { openBrowser, shootSvg } from './browser.ts';
import { screenSvg } from './drawing.ts';
import { setStage } from './stage.ts';
import { sleep, type Terminal } from './terminal.ts';

const wide = { columns: 120, rows: 30 };
const usual = { columns: 100, rows: 24 };
const esc = '\u001b';

export const shootTerminal = (browser: Browser, name: string, terminal: Terminal): Promise<void> =>
  shootSvg(browser, name, screenSvg(terminal.screen(), terminal.columns));

/** The screens of `cli ui`, with the demo fleet. */
export async function pictureInterface(): Promise<void> {
  await using stage = await setStage();
  const browser = await openBrowser();
  try {
    await stage.keep('cli demo', 'robots online');
    await stage.run('cli deploy demo-nav-1.8.2 --fleet demo-forklifts --watch --yes || true');

    const overview = await stage.terminal(wide);
    await overview.type('cli ui\r');
    await overview.sees('Recent events');
    await sleep(8_000); // the first overloaded robots are told
    await shootTerminal(browser, 'ui-overview', overview);
    await overview.type('q');

    const person = await stage.terminal(usual);
    await person.type('cli ui\r');
    await person.sees('Recent events');
    await person.type('2');
    await person.sees('22 robots');
    await person.type('/fork\r');
    await person.sees('8/22 robots');
    await person.type('jj j '); // marks two, of which one has errors in its logs
    await sleep(1_000);
    await shootTerminal(browser, 'ui-robots', person);

    await person.type('8');
    await person.sees('2 of 2 robots');
    await person.sees(/(?:\d\d:\d\d:\d\d.*\s+){18}/);
    await shootTerminal(browser, 'ui-logs', person);

    await person.type('3');
    await person.sees('deployments');
    await person.type('/1.8.2 fork\r');
    await person.sees('1/');
    await person.type('\r');
    await person.sees('Latest events');
    await sleep(1_000);
    await shootTerminal(browser, 'ui-deployment', person);

    await person.type(esc);
    await sleep(500);
    await person.type('4');
    await person.sees('demo-nav-1.8.1');
    await person.type('/1.8.2\r');
    await person.type('Wd');
    await person.sees('Deploy ');
    await person.type('\rpick\r\r');
    await person.sees('Same as');
    await sleep(1_000);
    await shootTerminal(browser, 'ui-plan', person);
    person.press(esc);
  } finally {
    await browser.close();
  }
}
