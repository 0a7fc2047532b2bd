import { csrfIn, PlainBrowser, type PageAnswer } from './browser.ts';
import { startIsolatedWorld, type World } from './world.ts';

/** A world in which people sign in locally. */
export const startPortalWorld = () => startIsolatedWorld({ env: { SERVICE_ADMIN_TOKEN: '' } });

/** A user of the world's org who reads the pages of the fleet. */
export async function fleetReader(world: World, { email = 'ann@example.com', role = 'viewer' } = {}) {
  await world.call('POST', '/api/users', { body: { email, role } });
  const browser = new PlainBrowser(world.url);
  await browser.signInLocally(email);
  const get = (path = '', headers: Record<string, string> = {}): Promise<PageAnswer> =>
    browser.get(`/portal/fleet${path}`, headers);
  return {
    browser,
    get,
    /** As the script of a page does: its region alone, or 304 if the tag is current. */
    poll: (path = '', tag = '') => get(path, { 'Live-Org': world.orgId, 'If-None-Match': tag }),
    csrf: async () => csrfIn((await get()).text),
  };
}
