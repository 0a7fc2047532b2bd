import { expect } from 'vitest';
import { reaches, returnsOf, rollBack } from '../deployments/engine/rollbacks/support.ts';
import { faultsOf, openChromium, picture, testInBrowser, watchPage } from '../support/chromium.ts';
import { pause, startRolloutPages, startSecondWave } from './rollout-page.ts';

testInBrowser(
  'the page of a rollout is sound for everybody, fits on a phone, and shows a pause without a reload',
  async () => {
    await using pages = await startRolloutPages();
    const { it, browser: reader } = pages;
    const { url } = it.world;
    const { id } = await startSecondWave(it);
    await using browser = await openChromium();
    const context = await browser.newContext();
    await context.addCookies([{ name: 'session', value: reader.jar.get('session') ?? '', url }]);
    const page = await context.newPage();
    const { foreign, complaints } = watchPage(page, [url]);
    const open = (of: string) => page.goto(`${url}/portal/fleet/deployments/release/${of}`);
    await open(id);
    const second = page.getByRole('region', { name: 'Waves' }).getByRole('row').nth(2);
    await second.getByText('in progress').waitFor();
    await pause(it, id, 'arms drift on the second floor');
    await second.getByText('it is paused').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'deployment-paused');

    await rollBack(it, id);
    await reaches(it, id, 1);
    await page.getByRole('cell', { name: 'rolls back this one' }).waitFor();
    const [{ id: rollback }] = await returnsOf(it, id);
    await page.getByRole('region', { name: 'Related deployments' }).getByRole('link').first().click();
    await page.waitForURL(`**/${rollback as string}`);
    await page.getByRole('cell', { name: 'rolled back by this one' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'deployment-rollback');
    for (const width of [320, 400, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      for (const each of [id, rollback as string]) {
        await open(each);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
    expect([foreign, complaints]).toEqual([[], []]);
  },
);
