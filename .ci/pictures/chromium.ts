import { chromium, type Browser } from 'playwright-core';
import { background } from './colours.ts';
import { indexedPng } from './indexed-png.ts';

/** Docs name the Debian package; elsewhere it may be another path. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** It runs as root in containers, where its sandbox has no rights. */
export const startChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** Runs in the page: the pixels of the screenshot. */
const readPixels = (base64: string) => `(async () => {
  const blob = await (await fetch('data:image/png;base64,${base64}')).blob();
  const image = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return { pixels: btoa(text), width: image.width, height: image.height };
})()`;

/** Draws the picture as an image, sharp on screens of high density too. */
export async function pngOf(browser: Browser, svg: string): Promise<Buffer> {
  const page = await browser.newPage({ deviceScaleFactor: 1.5 });
  try {
    await page.setContent(`<style>body{margin:0;background:${background}}svg{display:block}</style>${svg}`);
    const shot = await page.locator('svg').first().screenshot();
    const drawn: { pixels: string; width: number; height: number } = await page.evaluate(
      readPixels(shot.toString('base64')),
    );
    return indexedPng(Buffer.from(drawn.pixels, 'base64'), drawn.width, drawn.height);
  } finally {
    await page.close();
  }
}
