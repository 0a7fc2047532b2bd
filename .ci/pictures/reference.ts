import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, shoot, type Looks } from './browser.ts';
import { setStage, type Stage } from './stage.ts';

const desktop = { width: 1024, height: 800 };
const phone = { width: 390, height: 800 };

/** The pages under /docs. */
export async function pictureReference(): Promise<void> {
  await using stage = await setStage();
  const browser = await openBrowser();
  const open = async (looks: Looks, path: string) => {
    const page = await openPage(browser, looks);
    await page.goto(stage.url + path);
    return page;
  };
  try {
    await shoot(await drawn(await open(desktop, '/docs')), 'docs-reference');
    await shoot(await drawn(await open(phone, '/docs')), 'docs-reference-phone');

    const operation = await drawn(await open({ width: 1280, height: 800, dark: true }, '/docs'));
    await operation.locator('[id="operation/createDeployment"]').first().scrollIntoViewIfNeeded();
    await operation.evaluate('location.hash = "#operation/createDeployment"');
    await operation.waitForTimeout(1_500);
    await shoot(operation, 'docs-operation-dark');

    await shoot(await open(desktop, '/docs/roles'), 'docs-roles');
    const streams = await open(desktop, '/docs/streams');
    await toTop(streams, '#agent-link-exchanges, [id$="-exchanges"]');
    await shoot(streams, 'docs-streams');
    await shoot(await open({ ...phone, dark: true }, '/docs/streams'), 'docs-streams-phone-dark');

    await shoot(await tried(browser, stage, { width: 1024, height: 900 }), 'docs-try');
    await shoot(await tried(browser, stage, { ...phone, dark: true }), 'docs-try-phone-dark');
  } finally {
    await browser.close();
  }
}

/** The reference, once its script has drawn the operations. */
async function drawn(page: Page): Promise<Page> {
  await page.locator('[id="operation/createDeployment"]').first().waitFor({ state: 'attached' });
  return page;
}

/** As much of an element as is needed: the types of the DOM are not those of this project. */
interface Scrolling {
  scrollIntoView(options: { block: 'start' }): void;
}

const toTop = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => (element as unknown as Scrolling).scrollIntoView({ block: 'start' }));

/** The console with the response of an operation. */
async function tried(browser: Browser, { url, orgToken }: Stage, looks: Looks): Promise<Page> {
  const page = await openPage(browser, looks);
  await page.goto(`${url}/docs/try`);
  await page.locator('.opblock-tag').first().waitFor();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByLabel('bearerAuth', { exact: true }).fill(orgToken);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  const block = page.locator('#operations-Session-getWhoami');
  if (!(await block.isVisible())) await page.locator('#operations-tag-Session').click();
  await block.locator('.opblock-summary-control').click();
  await block.locator('button.execute').click();
  await block.locator('.live-responses-table').first().waitFor();
  await toTop(page, '#operations-Session-getWhoami .responses-wrapper');
  return page;
}
