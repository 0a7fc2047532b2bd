import { readFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { openChromium, testInBrowser, watchPage } from '../support/chromium.ts';
import { logRobot } from '../support/log-robot.ts';
import { startPageFront } from '../support/page-front.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld } from '../support/world.ts';

const entry = new URL('../../dist/client/index.js', import.meta.url);

/** Reads `token` and `robot` of its page, and leaves there what it saw. */
const script = `
import { ApiError, createClient } from './client.js';
const client = createClient({ baseUrl: location.origin, token });
const { data: site } = await client.POST('/api/sites', { body: { name: 'Osaka' } });
const sites = [];
for await (const { name } of client.list('/api/sites', { params: { query: { limit: 1 } } })) sites.push(name);
const refused = await client.GET('/api/robots/{id}', { params: { path: { id: 'nobody' } } }).catch((error) => error);
const lines = [];
for await (const { message } of client.streams.logs(robot, { tail: 2 })) {
  lines.push(message);
  document.title = lines.join();
  if (message === 'three') break;
}
const offline = await client.streams.shell(robot).catch((error) => error.name);
window.seen = { site: site.name, sites, refused: refused instanceof ApiError && refused.code, lines, offline };
`;

testInBrowser('the client works in a page: calls, lists, refusals, and live logs by a ticket', async () => {
  await using world = await startWorld();
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  using robot = await logRobot(world.url, token);
  await robot.say('one', 'two');
  const browser = await openChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const { complaints } = watchPage(page, [world.url]);
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  // A page under the address of the service, as behind a proxy that has both.
  const head = `<script>const token = '${world.orgToken}', robot = '${id}'</script>`;
  await using front = await startPageFront(world.url, {
    '/page/': { type: 'text/html', body: `<!doctype html>${head}<script type="module">${script}</script>` },
    '/page/client.js': { type: 'text/javascript', body: await readFile(entry, 'utf8') },
  });
  await page.goto(`${front.url}/page/`);
  await expect.poll(async () => [await page.title(), ...complaints]).toEqual(['one,two']);
  await robot.say('three');
  await expect
    .poll(() => page.evaluate(() => (globalThis as { seen?: unknown }).seen))
    .toEqual({
      site: 'Osaka',
      sites: ['Osaka', 'Osaka'],
      refused: 'not_found',
      lines: ['one', 'two', 'three'],
      offline: 'StreamError',
    });
  // The browser's own word on the shell that was refused; a page is told no more than that.
  expect(complaints.filter((complaint) => !complaint.includes('WebSocket connection'))).toEqual([]);
  expect(sockets.every((url) => /token=svc_ticket_[0-9a-f]{64}/.test(url))).toBe(true);
  expect(sockets.length).toBeGreaterThan(0);
});
