import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { savePicture } from './files.ts';

/** Debian's Chromium; another one is named by CHROMIUM. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });

export interface Looks {
  width: number;
  height: number;
  dark?: boolean;
}

/** A page in a context of its own: nothing that another page was told is left in it. */
export async function openPage(browser: Browser, looks: Looks, more: BrowserContextOptions = {}): Promise<Page> {
  const { width, height, dark = false } = looks;
  const colorScheme = dark ? 'dark' : 'light';
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...more,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

/** Saves what the page shows now. */
export async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await savePicture(`${name}.png`, await page.screenshot({ animations: 'disabled', caret: 'hide' }));
}

/** Saves a drawn screen of a terminal. */
export async function shootSvg(browser: Browser, name: string, svg: string): Promise<void> {
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const page = await openPage(browser, { width: Number(width), height: Number(height) });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
  await shoot(page, name);
  await page.context().close();
}
