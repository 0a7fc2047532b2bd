import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';

import { testWith } from './tools.ts';

const executablePath = '/usr/bin/chromium';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A test in Debian's Chromium. */
export const testInBrowser = testWith('chromium');

/** Debian's Chromium, without access to other machines. */
export async function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}

/** Records from now on the page's requests to any other origins, and its errors, including violated policies. */
export function watchPage(page: Page, origins: string[]): { foreign: string[]; complaints: string[] } {
  const [foreign, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && !origins.includes(new URL(url).origin)) foreign.push(url);
  });
  page.on('console', (message) => {
    // The browser itself reports a response of 4xx or 5xx; that is not the page's error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { foreign, complaints };
}

/** Current findings of axe-core on the page, or on the part that the selector names: rule and place. */
export async function faultsNow(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (part) => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(part: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      }
    ).axe.run(part, { preload: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, part);
}

/** Findings of axe-core on the current page or a part of it, in the light and in the dark scheme. */
export async function faultsOf(page: Page, part?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // A page that follows the scheme by a script gets the event before the next frame.
    await page.evaluate('new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told)))');
    faults.push(...(await faultsNow(page, part)).map((fault) => `${colorScheme} ${fault}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

const desktop = { width: 1024, height: 640 };
const phone = { width: 375, height: 720 };

/**
 * Saves pictures of the page to the folder in SCREENSHOTS, if set: desktop and phone size, each in the light and in the
 * dark scheme.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  const before = page.viewportSize() ?? desktop;
  for (const [size, viewport] of Object.entries({ '': desktop, '-phone': phone }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${folder}/${name}${size}${colorScheme === 'dark' ? '-dark' : ''}.png` });
    }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}
