import type { Page } from 'playwright-core';
import { openBrowser, openPage, shoot, type Looks } from './browser.ts';
import { setStage, type Stage } from './stage.ts';

const desktop = { width: 1024, height: 640 };
const person = 'ann@example.com';

/** The pages of the portal, as an admin sees them. */
export async function picturePortal(): Promise<void> {
  await using stage = await setStage();
  const browser = await openBrowser();
  const visit = async (path: string, looks: Looks = desktop) => {
    const page = await openPage(browser, looks);
    await page.goto(stage.url + path);
    return page;
  };
  try {
    await furnish(stage);
    await shoot(await visit('/docs/roles'), 'roles');
    const page = await visit('/sign-in?return_to=/portal/users');
    await shoot(page, 'sign-in');
    await signIn(page);
    await page.goto(`${stage.url}/portal/users`);
    await shoot(page, 'users');
    await page.goto(`${stage.url}/portal/enrollment-keys`);
    await shoot(page, 'enrollment-keys');
    await page.goto(`${stage.url}/portal/audit`);
    await shoot(page, 'audit');
    await page.goto(stage.url + authorizePath);
    await page.locator('#label').waitFor();
    await shoot(page, 'cli-authorize');

    await page.goto(`${stage.url}/portal/tokens`);
    await page.locator('#label').fill('laptop');
    await page.keyboard.press('Enter');
    await page.locator('#value').waitFor();
    // The value is a valid token only of a service that has ended by the time somebody reads it.
    await shoot(page, 'token-made');

    const home = await visit('/sign-in?return_to=/portal', { ...desktop, dark: true });
    await signIn(home);
    await home.goto(`${stage.url}/portal`);
    await home.locator('#org-name').fill('Warehouse North');
    await Promise.all([home.waitForEvent('framenavigated'), home.keyboard.press('Enter')]);
    await home.waitForLoadState();
    await home.goto(`${stage.url}/portal`);
    await shoot(home, 'home-dark');
  } finally {
    await browser.close();
  }
}

async function signIn(page: Page): Promise<void> {
  await page.locator('#email').fill(person);
  await page.keyboard.press('Enter');
  await page.locator('form[action="/sign-out"]').waitFor();
}

/** A site with a fleet, keys in several states, and users. */
async function furnish(stage: Stage): Promise<void> {
  await stage.run(
    'cli sites create Osaka > /dev/null',
    'cli fleets create pickers --site Osaka > /dev/null',
    'cli keys new --site Osaka --fleet pickers --label "line 2" > /dev/null',
    'cli keys new --site Osaka --fleet pickers --label workshop > /dev/null',
  );
  for (const [email, name, role] of [
    [person, 'Ann Sato', 'admin'],
    ['bob@example.com', 'Bob Weber', 'operator'],
  ])
    await stage.call('POST', '/api/users', { email, name, role });
}

/** What `cli login` opens, on a machine named `workstation`. */
const authorizePath = `/cli/authorize?${new URLSearchParams({
  redirect_uri: 'http://127.0.0.1:40000/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: '5Qd0fPZ1Yk9bVn3s8T2LwA',
  host: 'workstation',
}).toString()}`;
