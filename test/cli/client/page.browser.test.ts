import { readFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { startCutter } from '../../support/cutting-proxy.ts';
import { openChromium, testInBrowser, watchPage } from '../../support/chromium.ts';
import { logRobot } from '../../support/log-robot.ts';
import { startPageFront } from './page-proxy.ts';
import { robotsOf } from '../../support/robots.ts';
import { startShellRobot } from '../../support/shell-robot.ts';
import { startWorld } from '../../support/world.ts';

const entry = new URL('../../../dist/client/index.js', import.meta.url);

/** Reads `token`, `robot` and `shellRobot` of its page, and leaves there what it saw; `silence` is the test's. */
const script = `
import { ApiError, createClient } from './client.js';
const client = createClient({ baseUrl: location.origin, token });
const { data: site } = await client.POST('/api/sites', { body: { name: 'Kobe' } });
const sites = [];
for await (const { name } of client.list('/api/sites', { params: { query: { limit: 1 } } })) sites.push(name);
const refused = await client.GET('/api/robots/{id}', { params: { path: { id: 'nobody' } } }).catch((error) => error);
const led = await createClient({ baseUrl: location.origin + '/moved', token }).GET('/api/sites').catch((error) => error);
const lines = [];
for await (const { message } of client.streams.logs(robot, { tail: 2 })) {
  lines.push(message);
  document.title = lines.join();
  if (message === 'three') break;
}
const offline = await client.streams.shell(robot).catch((error) => error.name);

const quick = createClient({ baseUrl: location.origin, token, silentSeconds: 0.6 }).streams;
const command = ['sh', '-c', 'read one; echo "got $one"; read two; echo "got $two" >&2; exit 5'];
const told = [];
const shell = await quick.openShell(shellRobot, { command, onResumed: () => told.push('resumed') });
await shell.write('one\\n');
for await (const text of shell.text()) {
  told.push(text);
  break;
}
const logs = quick.logs(robot, { tail: 1 });
lines.push((await logs.next()).value.message);
await silence();
document.title = 'silent';
await shell.write('two\\n');
for await (const text of shell.text()) told.push(text);
const exit = await shell.ended;
lines.push((await logs.next()).value.message);
await logs.return();
window.seen = { site: site.name, sites, refused: refused instanceof ApiError && refused.code, led: led.message, lines, offline, told, exit };
`;

testInBrowser(
  'the client works in a page: calls, lists, refusals, live logs and shells by tickets, over a network that falls silent too',
  async () => {
    await using world = await startWorld();
    const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
    using robot = await logRobot(world.url, token);
    await robot.say('one', 'two');
    await using shellRobot = await startShellRobot(world);
    await using cutter = await startCutter(world.url, (head) => /\/(logs|shell)\/ws/.test(head));
    const browser = await openChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const { complaints } = watchPage(page, [world.url]);
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    // A page under the address of the service, as behind a proxy that has both.
    const names = `token = '${world.orgToken}', robot = '${id}', shellRobot = '${shellRobot.id}'`;
    const head = `<script>const ${names}</script>`;
    await page.exposeFunction('silence', () => cutter.silenceAll());
    await using front = await startPageFront(cutter.url, {
      '/page/': { type: 'text/html', body: `<!doctype html>${head}<script type="module">${script}</script>` },
      '/moved/api/sites': { location: '/api/sites' },
      '/page/client.js': { type: 'text/javascript', body: await readFile(entry, 'utf8') },
    });
    await page.goto(`${front.url}/page/`);
    await expect.poll(async () => [await page.title(), ...complaints]).toEqual(['one,two']);
    await robot.say('three');
    await expect.poll(() => page.title()).toBe('silent');
    await robot.say('four');
    await expect
      .poll(() => page.evaluate(() => (globalThis as { seen?: unknown }).seen))
      .toEqual({
        site: 'Kobe',
        // Each robot brings one, too.
        sites: ['Osaka', expect.stringMatching(/^Osaka [0-9a-f]+$/), 'Kobe'],
        refused: 'not_found',
        led: 'the call is led to another address, and does not go there: baseUrl is to say who answers',
        lines: ['one', 'two', 'three', 'three', 'four'],
        offline: 'StreamError',
        told: ['got one\n', 'resumed', 'got two\n'],
        exit: { code: 5 },
      });
    // The browser's own word on the shell that was refused; a page is told no more than that.
    expect(complaints.filter((complaint) => !complaint.includes('WebSocket connection'))).toEqual([]);
    expect(sockets.every((url) => /token=svc_ticket_[0-9a-f]{64}/.test(url))).toBe(true);
    expect(sockets.length).toBeGreaterThan(0);
  },
);
