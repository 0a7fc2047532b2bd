import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startAgent } from '../../../support/agent-process.ts';
import { signedInHome, startHome, type Home } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { personAt, startShellScene } from '../../../support/shell-scene.ts';
import { startKillableService } from '../../../support/killable-service.ts';
import { testWith } from '../../../support/tools.ts';
import { startIsolatedWorld } from '../../../support/world.ts';

const withTmux = testWith('tmux');
/** Each is many steps of a person, of which each may be late on a busy machine. */
const flow = { timeout: 120_000 };
const before = { isAlternate: false, hasCursor: true, hasMouse: false };

/** Robots that simulate themselves until the home is disposed of. */
async function simulate(home: Home, url: string, value: string, count: number): Promise<void> {
  const path = join(home.path, 'profile.json');
  await writeFile(path, JSON.stringify({ order_seconds: 1 }));
  const running = home.start([
    ...['agent', 'simulate', '--backend-url', url, '--enrollment-key', value],
    ...['--count', String(count), '--profile', path],
  ]);
  await running.sees('Simulating 8 robots');
}

withTmux('a release goes to a fleet, from the filter to the last robot', flow, async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const made = factories(world);
  const { site_id: siteId, value } = await made.key();
  const { id: fleetId } = await made.fleet(siteId, 'haulers');
  const other = await world.call('POST', '/api/enrollment-keys', { body: { site_id: siteId, fleet_id: fleetId } });
  await made.robot('amr-007', other.body.data);
  await made.release({ tag: 'nav-1.8.2', kind: 'file' });
  await simulate(home, world.url, value, 8);
  await using person = await personAt(home, world.url, { SERVICE_TOKEN: world.orgToken });
  const modes = await person.modes();
  await person.type('clear; cli ui; echo "code $?"\r');
  await person.sees(/^ Overview .*● live/m);
  await person.type('2');
  await person.sees('9 robots');
  await person.type('/fleet:pickers\r');
  await person.sees('8/9 robots   filter: fleet:pickers');
  await person.sees(/(?:● online[^]*){8}/);
  expect(await person.screen()).not.toContain('amr-007');

  await person.type('d');
  await person.sees('read-only: W allows changes');
  await person.type('Wd');
  await person.sees('Type part of its tag');
  await person.type('\rpick\r\r');
  await person.sees('Target   fleet pickers (8 robots, 8 online)');
  await person.sees('Same as  cli deploy nav-1.8.2 --fleet pickers');
  await person.type('\rpickers');
  await person.sees('> pickers');
  expect(await world.count('deployments')).toBe(0);
  await person.type('\r');
  await person.sees(/Starts in \d s\. esc stops it\./);
  await person.sees('Deploying nav-1.8.2 to fleet pickers.');

  await person.type('3');
  await person.sees(/^▸.*nav-1\.8\.2/m);
  await person.type('\r');
  await person.sees('[Grid]');
  await person.sees('A A A A A A A A');
  // Lists are read seldom where the service is busy.
  await person.type('r');
  await person.sees('8 of 8 ended: 8 applied');
  await person.type('-');
  await person.sees(/^ Deployments /m);
  await person.type('q');
  await person.sees('code 0');
  expect(await person.screenState()).toEqual(before);
  expect(await person.modes()).toBe(modes);
});

withTmux('while the service is away its data stays with its age, and goes on by itself', flow, async () => {
  await using service = await startKillableService();
  const url = service.url.href.replace(/\/$/, '');
  await using home = await startHome({ SERVICE_TOKEN: service.token });
  for (const line of ['sites create Osaka', 'fleets create pickers --site Osaka'])
    await home.cli([...line.split(' '), '--base-url', url]);
  const { stdout: value } = await home.cli(['keys', 'new', '--site', 'Osaka', '--fleet', 'pickers', '--base-url', url]);
  await using robot = await startHome();
  await using agent = startAgent(robot, ['--backend-url', url, '--enrollment-key', value.trim(), '--name', 'amr-007']);
  await agent.sees('Connected to');
  await using person = await personAt(home, url, { SERVICE_TOKEN: service.token });
  await person.type('clear; cli ui\r');
  await person.sees(/^ Overview .*● live/m);
  await person.type('2/amr\r');
  await person.sees('1/1 robots   filter: amr');
  await service.killServer();
  await person.sees(/◌ reconnecting \d+, next/);
  await person.sees(/as of \d\d:\d\d:\d\d/);
  expect(await person.screen()).toMatch(/amr-007 +● online/);
  expect(await person.screen()).not.toContain('● live');
  await service.startServer();
  // Somebody typed just now: it tries every 5 s at least.
  await expect.poll(() => person.screen(), { timeout: 60_000 }).toMatch(/^ Robots .*● live/m);
  await person.sees('1/1 robots   filter: amr');
  await expect.poll(() => person.screen()).not.toMatch(/as of|reconnecting/);
  await person.type('q');
  await person.sees(/^local>$/m);
});

withTmux('a shell with vi in it has the whole terminal, and the same robot is there at its end', flow, async () => {
  await using scene = await startShellScene();
  await using person = await scene.person();
  await person.type('clear; cli ui\r');
  await person.sees(/^ Overview .*● live/m);
  await person.type('2');
  await person.sees('amr-007');
  await person.type('Ws');
  await person.sees('Enter opens a shell');
  await person.type('\r');
  await person.sees('Connected to amr-007');
  await person.type("PS1='robot> '; clear; vi -u NONE\r");
  await person.sees(/^~$/m);
  await person.type('ityped in vi\u001b:q!\r');
  await person.sees(/^robot>/m);
  await person.type('exit\r');
  await person.sees('session ended, exit 0');
  await person.sees('Enter opens a shell');
  await person.type('q');
  await person.sees(/^local>$/m);
  expect(await person.screenState()).toEqual(before);
});

withTmux('a token that is taken no more is asked for anew, over the view that was open', flow, async () => {
  await using world = await startIsolatedWorld();
  await using home = await startHome();
  const made = factories(world);
  await made.robot('amr-007');
  const { id } = await made.user('operator');
  const newToken = async () => (await world.call('POST', `/api/users/${id}/tokens`, { body: {} })).body.data;
  const first = await newToken();
  await using person = await personAt(home, world.url, { SERVICE_TOKEN: first.value });
  await person.type('clear; cli ui\r');
  await person.sees(/^ Overview .*● live/m);
  await person.type('2/fleet:pickers\r');
  await person.sees('1/1 robots   filter: fleet:pickers');
  await world.call('POST', `/api/tokens/${first.id}/revoke`);
  await person.sees('Sign in');
  await person.type('svc_user_wrong');
  await person.type('\r');
  await person.sees(/Token rejected[^]*request [0-9a-f-]{36}/);
  await person.type(`\u0015${(await newToken()).value}\r`);
  await person.sees('Signed in.');
  await person.sees('1/1 robots   filter: fleet:pickers');
  await person.sees(/^ Robots .*● live/m);
  expect(await person.screen()).not.toContain('Sign in');
  await person.type('q');
  await person.sees(/^local>$/m);
});
