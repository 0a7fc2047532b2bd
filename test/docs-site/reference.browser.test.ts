import { chromium } from 'playwright-core';
import { expect } from 'vitest';
import { testWith } from '../support/tools.ts';
import { startWorld } from '../support/world.ts';

const executablePath = '/usr/bin/chromium';
const withBrowser = testWith('chromium');

withBrowser(
  'the reference shows every operation in a browser that can reach no other host, and breaks no policy',
  async () => {
    await using world = await startWorld();
    const browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    });
    try {
      const page = await browser.newPage();
      const foreign: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(world.url)) foreign.push(request.url());
      });
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${world.url}/docs`);
      for (const summary of ['Get caller identity', 'Create site', 'Enroll robot', 'Approve org'])
        await page.getByRole('heading', { name: summary }).first().waitFor({ timeout: 20_000 });
      await page.getByText('Needs operator or higher; tokens: user, org.').first().waitFor();
      await page.goto(`${world.url}/docs#operation/createSite`);
      await page.getByRole('heading', { name: 'Create site' }).first().waitFor();
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
      if (process.env['SCREENSHOT']) await page.screenshot({ path: process.env['SCREENSHOT'] });
    } finally {
      await browser.close();
    }
  },
);
