import { chromium, type Browser } from 'playwright-core';

/** Docs name the Debian package; elsewhere it may be another path. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** It runs as root in containers, where its sandbox has no rights. */
export const startChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Draws the picture as an image, sharp on screens of high density too. */
export async function pngOf(browser: Browser, svg: string): Promise<Buffer> {
  const page = await browser.newPage({ deviceScaleFactor: 1.5 });
  try {
    await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
    return await page.locator('svg').first().screenshot({ omitBackground: true });
  } finally {
    await page.close();
  }
}
