import { expect, test } from 'vitest';
import { parse } from '../../../../cli/command-line/parse.ts';
import { catalog } from '../../../../cli/command-specs/index.ts';
import { chosenTarget } from '../../../../cli/ui/change-flows/selection.ts';
import type { Deployment } from '../../../../cli/ui/data/data.ts';
import { startChangeFlows } from '../../../../cli/ui/change-flows/start.ts';
import { openSignIn } from '../../../../cli/ui/change-flows/sign-in.ts';
import {
  knownNow,
  shownTargets,
  targetFacts,
  targetField,
  targetsOf,
} from '../../../../cli/ui/change-flows/targets.ts';
import { typedConfirmation } from '../../../../cli/ui/change-flows/typed-confirmation.ts';
import { staleWarnings } from '../../../../cli/ui/change-flows/when-loaded.ts';
import type { Ui } from '../../../../cli/ui/ui.ts';
import { applied, begun } from '../../../support/applied.ts';
import { factories } from '../../../support/factories.ts';
import { confirm, openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';
import { fakeUi, fleet, robot, site } from '../../../support/fake-ui.ts';

/** The line of the plan that is open, which the client has to take. */
async function planLine(ui: Ui): Promise<readonly string[]> {
  const overlay = ui.overlay.get();
  if (overlay?.kind !== 'plan') throw new Error(`no plan is open but ${overlay?.kind}`);
  const { line } = overlay.plan;
  const command = catalog.commands
    .filter(({ path }) => `${line.join(' ')} `.startsWith(`${path} `))
    .sort((one, other) => other.path.length - one.path.length)[0];
  if (!command) throw new Error(`no command is called ${line.join(' ')}`);
  await parse(command, line.slice(command.path.split(' ').length));
  return line;
}

test('a release is deployed to a fleet: read-only at first, then a plan, its name typed, three seconds, one order', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const fleet = await made.fleet();
  await made.release({ tag: 'nav-1.8.2', kind: 'file' });
  await using desk = await openDesk(world);
  const { ui } = desk;
  want(ui.data.fleets, ui.data.releases, ui.data.robots, ui.data.deployments);

  pressAll(desk, 'd');
  expect(ui.notice.get()?.text).toContain('read-only: W allows changes');
  expect(ui.overlay.get()).toBeUndefined();

  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('nav-1.8.2 (file');
  pressAll(desk, 'enter', 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('Target   fleet pickers (0 robots, 0 online)');
  expect(shown(desk)).toContain('This fleet has no robots.');
  expect(await planLine(ui)).toEqual(['deploy', 'nav-1.8.2', '--fleet', 'pickers']);

  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('Type exactly: pickers');
  type(desk, 'pickers');
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('Starts in 3 s. esc stops it.');
  pressAll(desk, 'esc');
  expect(shown(desk)).toContain('Type pickers and press enter');
  expect(await world.count('deployments')).toBe(0);

  pressAll(desk, 'enter');
  await expect.poll(() => ui.overlay.get()).toBeUndefined();
  await expect.poll(() => ui.data.deployments.get().value?.items).toMatchObject([{ target_id: fleet.id }]);
  expect(ui.notice.get()?.text).toContain('Deploying nav-1.8.2 to fleet pickers');
});

test('a new enrollment key is masked, shown by v, copied by y, and no single key loses it', async () => {
  await using world = await startWorld();
  await factories(world).fleet();
  await using desk = await openDesk(world, { place: { screen: 'keys' } });
  const { ui } = desk;
  want(ui.data.fleets, ui.data.sites);

  pressAll(desk, 'W', 'n');
  await expect.poll(() => shown(desk)).toContain('New enrollment key');
  pressAll(desk, 'enter');
  type(desk, 'line 2');
  pressAll(desk, 'enter');
  type(desk, '25');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('at most 25 robots');
  expect(await planLine(ui)).toEqual(
    'keys new --site Osaka --fleet pickers --label|line 2|--max-uses 25 --expires-in-hours 720'
      .split('|')
      .flatMap((part, index) => (index === 1 ? [part] : part.trim().split(' '))),
  );
  confirm(desk);
  await expect.poll(() => shown(desk)).toContain('It is shown only once');
  expect(shown(desk)).not.toContain('svc_enroll_');
  pressAll(desk, 'v');
  expect(shown(desk).replaceAll('\n', '')).toMatch(/svc_enroll_[0-9a-f]{64}/);
  pressAll(desk, 'esc');
  expect(shown(desk)).toContain('Press esc again to close it without a copy');
  pressAll(desk, 'y');
  expect(desk.copied.at(-1)).toMatch(/^svc_enroll_[0-9a-f]{64}$/);
  pressAll(desk, 'esc');
  expect(ui.overlay.get()).toBeUndefined();
});

test.each(['keys', 'people'] as const)('no lifetime is none for the line of a plan on %s too', async (screen) => {
  await using world = await startWorld();
  const made = factories(world);
  await made.fleet();
  await made.user('viewer', 'kim@example.com');
  await using desk = await openDesk(world, { place: { screen } });
  const { ui } = desk;
  want(ui.data.fleets, ui.data.sites, ui.data.users);
  await expect.poll(() => ui.data.users.get().value?.items.length).toBe(1);
  pressAll(desk, 'W', screen === 'keys' ? 'n' : 'N');
  await expect.poll(() => shown(desk)).toContain('Hours');
  pressAll(desk, ...(screen === 'keys' ? ['enter', 'enter', 'enter'] : ['enter']), 'ctrl-u', 'enter');
  await expect.poll(() => shown(desk)).toMatch(/Expires +never/);
  expect((await planLine(ui)).slice(-2)).toEqual(['--expires-in-hours', '0']);
});

test('a change that the service refuses says why, with the number of the request, and the plan stays', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world, { place: { screen: 'people' } });
  const { ui } = desk;
  await factories(world).user('viewer', 'kim@example.com');

  pressAll(desk, 'W', 'n');
  type(desk, 'kim@example.com');
  pressAll(desk, 'enter', 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('Add kim@example.com');
  expect(await planLine(ui)).toEqual(['users', 'create', 'kim@example.com', '--role', 'viewer']);
  confirm(desk);
  await expect.poll(() => shown(desk)).toMatch(/request \S+/);
  expect(shown(desk)).toContain('enter retries');
  pressAll(desk, 'esc', 'esc');
  expect(ui.overlay.get()).toBeUndefined();
});

test('what takes a higher role is at hand and says so', async () => {
  await using world = await startWorld();
  const token = await factories(world).userToken('viewer');
  await using desk = await openDesk(world, { token });
  const { ui } = desk;
  want(ui.data.whoami);
  await expect.poll(() => ui.data.whoami.get().value?.role).toBe('viewer');
  pressAll(desk, 'W', 'd');
  expect(ui.notice.get()?.text).toContain('requires the role operator; yours is viewer');
});

test('a site, a fleet and a config entry are made by lines that the client takes', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world, { place: { screen: 'places' } });
  const { ui } = desk;
  pressAll(desk, 'W', 'N');
  type(desk, '-Hall 3');
  pressAll(desk, 'enter');
  await expect.poll(() => ui.overlay.get()?.kind).toBe('plan');
  expect(await planLine(ui)).toEqual(['sites', 'create', '--', '-Hall 3']);
  confirm(desk);
  await expect.poll(() => ui.overlay.get()).toBeUndefined();

  pressAll(desk, 'n');
  await expect.poll(() => shown(desk)).toContain('Create a fleet');
  type(desk, 'pickers');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => ui.overlay.get()?.kind).toBe('plan');
  expect((await planLine(ui)).slice(0, 3)).toEqual(['fleets', 'create', 'pickers']);
  confirm(desk);
  await expect.poll(() => ui.overlay.get()).toBeUndefined();

  ui.views.go({ screen: 'configs' });
  pressAll(desk, 'n');
  await expect.poll(() => shown(desk)).toContain('Set a config entry');
  pressAll(desk, 'enter');
  type(desk, 'nav.offset');
  pressAll(desk, 'enter');
  type(desk, '-0.5');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('Becomes  -0.5');
  expect(await planLine(ui)).toEqual(['configs', 'set', '--', 'nav.offset', '-0.5']);
  confirm(desk);
  await expect.poll(() => ui.notice.get()?.text).toContain('Set nav.offset: revision 1');
  expect((await world.call('GET', '/api/configs')).body.items).toMatchObject([{ key: 'nav.offset', value: -0.5 }]);
});

test('what is for one is for the row under the cursor, and waits until no other is marked', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await made.config({ key: 'a' });
  await made.config({ key: 'b' });
  await using desk = await openDesk(world, { place: { screen: 'configs' } });
  const { ui } = desk;
  want(ui.data.configs);
  await expect.poll(() => ui.data.configs.get().value?.items.length).toBe(2);

  pressAll(desk, 'W', 'space', 'e');
  expect(ui.notice.get()?.text).toContain('this works on one row; press space to unmark the others');
  expect(ui.overlay.get()).toBeUndefined();
  pressAll(desk, 'k', 'space', 'e');
  await expect.poll(() => shown(desk)).toMatch(/^Change [ab]\n/);
});

test('keys that open one robot open the one under the cursor, not the first that is marked', async () => {
  const { ui, feeds } = fakeUi();
  feeds.robots.fill([robot('a'), robot('b')]);
  pressAll({ ui }, 'space', 's');
  expect(ui.views.get().current.place).toEqual({ screen: 'robot', robotId: 'b' });
});

test('an entry that somebody else changed is neither set nor deployed as an older plan shows it', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await made.fleet();
  await made.config({ value: 1 });
  await using desk = await openDesk(world, { place: { screen: 'configs' } });
  const { ui } = desk;
  want(ui.data.configs, ui.data.fleets);
  await expect.poll(() => ui.data.configs.get().value?.items.length).toBe(1);

  pressAll(desk, 'W', 'e');
  await expect.poll(() => shown(desk)).toContain('Change nav.max_speed');
  pressAll(desk, 'enter', 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('Was      1 (revision 1)');
  await made.config({ value: 2 });
  confirm(desk);
  await expect.poll(() => shown(desk)).toContain('nav.max_speed was changed meanwhile: revision 2');
  pressAll(desk, 'esc', 'esc');
  await expect.poll(() => ui.data.configs.get().value?.items[0]?.revision).toBe(2);

  pressAll(desk, 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a config entry');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('Deploy nav.max_speed to fleet pickers');
  await made.config({ value: 3 });
  type(desk, 'pickers');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('was changed meanwhile: revision 3');
  expect((await world.call('GET', '/api/configs/deployments')).body.items).toEqual([]);
});

test('an older revision is deployed with its value, and a deleted entry keeps it on robots', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await made.robot('amr-007', await made.key());
  const { id } = await made.config({ value: 1 });
  await made.config({ value: 2 });
  await using desk = await openDesk(world, { place: { screen: 'configs' } });
  const { ui } = desk;
  want(ui.data.configs, ui.data.fleets, ui.data.robots, ui.data.configDeployments);
  await expect.poll(() => ui.data.configs.get().value?.items.length).toBe(1);

  pressAll(desk, 'W', 'D');
  await expect.poll(() => shown(desk)).toContain('Deploy an older revision of nav.max_speed');
  expect(shown(desk)).toContain('1: 1 (');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('revision 1');
  expect(await planLine(ui)).toEqual(['configs', 'deploy', 'nav.max_speed', '--fleet', 'pickers', '--revision', '1']);
  type(desk, 'pickers');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => ui.overlay.get()).toBeUndefined();
  await expect
    .poll(() => ui.data.configDeployments.get().value?.items)
    .toMatchObject([{ config_id: id, revision: 1, target_kind: 'fleet' }]);

  pressAll(desk, 'esc', 'x');
  await expect.poll(() => shown(desk)).toContain('1 active deployment, to be cancelled');
  expect(shown(desk)).toContain('Robots that have the value keep it.');
  expect(await planLine(ui)).toEqual(['configs', 'delete', 'nav.max_speed', '--cancel-deployments']);
  type(desk, 'nav.max_speed');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => ui.overlay.get()).toBeUndefined();
  expect(ui.notice.get()?.text).toContain('Deleted nav.max_speed');
  await expect.poll(() => ui.data.configs.get().value?.items).toEqual([]);
});

test('a release is archived and made available again, and an archived one is not offered', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await made.fleet();
  const { id } = await made.release({ tag: 'nav-1' });
  await using desk = await openDesk(world, { place: { screen: 'releases' } });
  const { ui } = desk;
  want(ui.data.releases, ui.data.fleets, ui.data.robots);
  await expect.poll(() => ui.data.releases.get().value?.items.length).toBe(1);
  pressAll(desk, 'W', 'u');
  expect(ui.notice.get()?.text).toContain('not archived');
  pressAll(desk, 'x');
  expect(await planLine(ui)).toEqual(['releases', 'archive', id]);
  confirm(desk);
  await expect.poll(() => ui.data.releases.get().value?.items[0]?.archived_at).toBeDefined();
  pressAll(desk, 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a release');
  expect(shown(desk)).not.toContain('nav-1');
  pressAll(desk, 'esc', 'u');
  expect(await planLine(ui)).toEqual(['releases', 'unarchive', id]);
  confirm(desk);
  await expect.poll(() => ui.data.releases.get().value?.items[0]?.archived_at).toBeUndefined();
});

test('a ui.toml that cannot be used, or a read-only profile, allows neither changes nor a shell', async () => {
  for (const [readOnlyProfiles, why] of [
    [undefined, 'ui.toml is invalid: read-only'],
    [['default'], 'ui.toml makes the profile default read-only'],
  ] as const) {
    const { ui, feeds } = fakeUi({ place: { screen: 'robot', robotId: 'a' } });
    feeds.robots.fill([robot('a')]);
    const desk = { ui: { ...ui, settings: { ...ui.settings, readOnlyProfiles } } };
    pressAll(desk, 'W');
    expect(ui.writes.get()).toBe(false);
    expect(ui.notice.get()?.text).toContain(why);
    ui.notice.set(undefined);
    pressAll(desk, 's', 'enter');
    expect(ui.notice.get()?.text).toContain(why);
  }
});

test('after a sign-in changes are allowed anew, and a plan of another user is gone', async () => {
  await using world = await startWorld();
  const next = await factories(world).userToken('operator', 'kim@example.com');
  await using desk = await openDesk(world, { place: { screen: 'places' } });
  const { ui } = desk;
  want(ui.data.whoami);
  await expect.poll(() => ui.data.whoami.get().value).toBeDefined();
  for (const [token, kind] of [
    [world.orgToken, 'form'],
    [next, undefined],
  ] as const) {
    pressAll(desk, 'W', 'N');
    expect(shown(desk)).toContain('Create a site');
    openSignIn(ui, 'Another one.');
    type(desk, token);
    pressAll(desk, 'enter');
    await expect.poll(() => ui.overlay.get()?.kind).toBe(kind);
    expect(ui.writes.get()).toBe(false);
    pressAll(desk, 'esc');
  }
});

test('a deployment is paused with a reason and continued, each by the same words as the command', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const key = await made.key();
  await made.robot('amr-1', key);
  const release = await made.release({ tag: 'nav-1.8.2' });
  const { id } = await made.deployment({ release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id });
  const read = async () => (await world.call('GET', `/api/deployments/${id}`)).body.data;
  await expect.poll(async () => (await read()).status).toBe('pending');
  const place = { screen: 'deployment', deployment: { deploymentKind: 'release', id } } as const;
  await using desk = await openDesk(world, { place });
  const { data } = desk.ui;
  want(data.deployments, data.releases, data.fleets, data.robots);
  const status = () => data.deployments.get().value?.byId.get(id)?.status;
  await expect.poll(status).toBe('pending');
  pressAll(desk, 'W', 'p');
  await expect.poll(() => shown(desk)).toContain('Pause the deployment');
  type(desk, 'crashes');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain(`cli deployments pause ${id} --reason crashes`);
  expect(shown(desk)).toContain('No other robot receives it.');
  confirm(desk);
  await expect.poll(status).toBe('paused');
  expect((await read()).paused.reason).toBe('crashes');
  pressAll(desk, 'p');
  expect(desk.ui.notice.get()?.text).toContain('already paused');
  pressAll(desk, 'P');
  await expect.poll(() => shown(desk)).toContain('Continue the deployment');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('Reason');
  confirm(desk);
  await expect.poll(status).toBe('pending');
});

test('a rollback shows which robots return to what, and asks for the name of the fleet', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const key = await made.key();
  await made.robot('amr-1', key);
  const deploy = async (tag: string) => {
    const release = await made.release({ tag });
    const order = { release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id };
    const { id } = await made.deployment(order);
    await begun(world, id);
    await applied(world, id);
    return id as string;
  };
  await deploy('nav-1');
  const id = await deploy('nav-2');
  const place = { screen: 'deployment', deployment: { deploymentKind: 'release', id } } as const;
  await using desk = await openDesk(world, { place });
  const { data } = desk.ui;
  want(data.deployments, data.releases, data.fleets, data.robots);
  const shownOne = () => data.deployments.get().value?.byId.get(id);
  await expect.poll(() => shownOne()?.status).toBe('applied');
  await expect.poll(() => data.releases.get().value).toBeDefined();
  pressAll(desk, 'W', 'B');
  await expect.poll(() => shown(desk)).toContain('Roll back the deployment');
  type(desk, 'bad map');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('1 to nav-1');
  expect(shown(desk)).toContain(`cli deployments rollback ${id} --reason 'bad map'`);
  type(desk, 'pickers');
  pressAll(desk, 'enter');
  await expect.poll(() => shownOne()?.rollback?.reason).toBe('bad map');
  pressAll(desk, 'B');
  expect(desk.ui.notice.get()?.text).toContain('it is rolled back already');
});

test('a fleet that is another one when its plan is confirmed is shown anew first', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const key = await made.key();
  await made.robot('amr-1', key);
  await made.release({ tag: 'nav-1.8.2' });
  await using desk = await openDesk(world);
  const { ui } = desk;
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('nav-1.8.2');
  pressAll(desk, 'enter', 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('fleet pickers (1 robots, 0 online)');
  await made.robot('amr-2', key);
  await expect.poll(() => ui.data.robots.get().value?.items.length).toBe(2);
  expect(shown(desk)).toContain('fleet pickers (1 robots, 0 online)');
  type(desk, 'pickers');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('fleet pickers changed: now 2 robots, 0 online; check again');
  expect(shown(desk)).toContain('fleet pickers (2 robots, 0 online)');
  expect(await world.count('deployments')).toBe(0);
  confirm(desk);
  await expect.poll(() => world.count('deployments')).toBe(1);
});

test('a notice goes with the view that it was told in; one of a failure stays to be read', () => {
  const { ui } = fakeUi({ place: { screen: 'robots' } });
  const end = startChangeFlows(ui, ['Nothing can be changed: ui.toml is not valid TOML']);
  expect(ui.notice.get()?.text).toBe('Nothing can be changed: ui.toml is not valid TOML');
  ui.views.setList({ filter: 'amr' });
  expect(ui.notice.get()).toBeDefined();
  ui.views.go({ screen: 'releases' });
  expect(ui.notice.get()).toBeUndefined();
  ui.notice.set({ text: 'Not done', tone: 'bad' });
  ui.views.back();
  expect(ui.notice.get()?.text).toBe('Not done');
  end();
});

const listed = <T extends { id: string }>(items: T[]) => ({
  items,
  byId: new Map(items.map((one) => [one.id, one])),
});

test('robots that come and go refuse no plan of their fleet, which tells how many are online now', async () => {
  const { ui, feeds } = fakeUi();
  const mover = (id: string, online = true) => robot(id, { fleet_id: 'movers', online });
  const { robots, fleets } = feeds;
  const none = { items: [], byId: new Map<string, never>() };
  fleets.fill([fleet('movers', 'north')]);
  robots.fill([mover('a'), mover('b')]);
  const target = shownTargets(() =>
    targetsOf('fleet:movers', knownNow(ui, { robots: none, fleets: none, sites: none }), []),
  );
  expect(targetFacts(target.shown())[0]?.text).toBe('fleet movers (2 robots, 2 online)');
  robots.fill([mover('a'), mover('b', false)]);
  expect(targetFacts(target.shown())[0]?.text).toBe('fleet movers (2 robots, 1 online)');
  await target.check();
  robots.fill([mover('a'), mover('c')]);
  await expect(target.check()).rejects.toThrow('fleet movers changed: now 2 robots, 2 online; check again');
});

test('robots are offered by name, and those of one name with their fleets', () => {
  const robots = [
    robot('1', { name: 'amr-10', fleet_id: 'movers' }),
    robot('2', { name: 'amr-9', fleet_id: 'movers', online: false }),
    robot('3', { name: 'amr-10', fleet_id: 'pickers', online: false }),
  ];
  const fleets = [fleet('movers', 'north'), fleet('pickers', 'north')];
  const known = { robots: listed(robots), fleets: listed(fleets), sites: listed([]) };
  const { choices } = targetField(known, { robots: [] });
  expect(choices.slice(3).map(({ text }) => text)).toEqual([
    'robot amr-9 (offline)',
    'robot amr-10 (movers)',
    'robot amr-10 (pickers, offline)',
  ]);
});

test('a fleet is offered with its site where several sites have one of its name, and deployed to by that name', () => {
  const fleets = [fleet('1', 'osaka', 'pickers'), fleet('2', 'kyoto', 'Pickers'), fleet('3', 'kyoto', 'movers')];
  const known = { robots: listed([]), fleets: listed(fleets), sites: listed([site('osaka'), site('kyoto')]) };
  const { choices } = targetField(known, { robots: [] });
  expect(choices.map(({ text }) => text)).toEqual([
    'fleet osaka/pickers (0 robots)',
    'fleet kyoto/Pickers (0 robots)',
    'fleet movers (0 robots)',
  ]);
  const { text, flag, confirm: confirmation } = targetsOf('fleet:2', known, []);
  expect([text, flag, confirmation]).toEqual([
    'fleet kyoto/Pickers',
    { fleet: 'kyoto/Pickers' },
    { kind: 'type', text: 'kyoto/Pickers' },
  ]);
});

test('a new deployment is offered for the robots that are chosen, else for the target of the deployment under the cursor', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'deployments' } });
  const deployments = [
    { id: 'd1', target_kind: 'fleet', target_id: 'movers' },
    { id: 'd2', target_kind: 'robot', target_id: 'amr-1' },
  ];
  feeds.deployments.fill(deployments as Deployment[]); // what else a deployment has is not read
  feeds.robots.fill([robot('amr-1'), robot('amr-2')]);
  feeds.fleets.fill([fleet('movers', 'north')]);
  const targetAt = (selected: string) =>
    chosenTarget({ ui, view: ui.views.get().current, chosen: [selected], selected });
  expect(targetAt('d1')).toEqual({ robots: [], fleet: 'movers' });
  expect(targetAt('d2')).toEqual({ robots: ['amr-1'] });
  ui.views.go({ screen: 'deployment', deployment: { deploymentKind: 'release', id: 'd1' } });
  expect(targetAt('amr-2')).toEqual({ robots: [], fleet: 'movers' });
  feeds.fleets.fill([]);
  expect(targetAt('amr-2')).toEqual({ robots: [], fleet: undefined });
  ui.views.go({ screen: 'robots' });
  expect(targetAt('amr-2')).toEqual({ robots: ['amr-2'] });
});

test('a plan calls old what lists call so: where the service is slow it is asked less often', () => {
  const { ui, clock, feeds } = fakeUi();
  const { robots } = feeds;
  const value = { items: [], byId: new Map<string, never>() };
  robots.set({ value, freshness: { kind: 'live', atMs: clock.nowMs, restMs: 30_000 } });
  clock.nowMs += 20_000;
  expect(staleWarnings(ui, [robots])).toEqual([]);
  clock.nowMs += 50_000;
  expect(staleWarnings(ui, [robots])[0]).toContain('the service has not responded since');
});

test('a change that came too late is shown as it is then, and made from there', async () => {
  await using world = await startWorld();
  const made = factories(world);
  await made.config({ value: 1 });
  await using desk = await openDesk(world, { place: { screen: 'configs' } });
  const { ui } = desk;
  want(ui.data.configs);
  await expect.poll(() => ui.data.configs.get().value?.items.length).toBe(1);
  pressAll(desk, 'W', 'e');
  await expect.poll(() => shown(desk)).toContain('in the namespace default');
  expect(shown(desk)).not.toContain('Namespace');
  pressAll(desk, 'ctrl-u');
  type(desk, '4.5');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('Was      1 (revision 1)');
  await made.config({ value: 2 });
  confirm(desk);
  await expect.poll(() => shown(desk)).toContain('nav.max_speed was changed meanwhile: revision 2');
  await expect.poll(() => shown(desk)).toContain('Was      2 (revision 2)');
  confirm(desk);
  await expect.poll(() => ui.notice.get()?.text).toContain('Set nav.max_speed: revision 3');
});

test('a name that nobody can type as it is shown gives way to what everybody can', () => {
  const { ui } = fakeUi();
  const ascii = { settings: { ...ui.settings, isAscii: true } };
  for (const name of ['pickers', 'Halle Süd 3', '東棟'])
    expect(typedConfirmation(ui, name, '85 robots')).toEqual({ kind: 'type', text: name });
  for (const name of ['ab\u202ecd', '🤖 fleet', 'a\u00a0b', 'x'.repeat(33)])
    expect(typedConfirmation(ui, name, '85 robots')).toEqual({ kind: 'type', text: '85 robots' });
  expect(typedConfirmation(ascii, '東棟', '85 robots')).toEqual({ kind: 'type', text: '85 robots' });
});

test('a viewer gets WRITE, for approvals, and no shell by it', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'robot', robotId: 'amr-1' } });
  feeds.whoami.set({ value: { role: 'viewer' } as never, freshness: { kind: 'live', atMs: 0 } });
  feeds.robots.fill([robot('amr-1')]);
  pressAll({ ui }, 'W', 's', 'enter');
  expect(ui.writes.get()).toBe(true);
  expect(ui.notice.get()?.text).toContain('requires the role operator; yours is viewer');
});

test('where there is no release to deploy the form says so at once, and what makes one', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world);
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('there is no release yet: cli releases push <path>');
  expect(shown(desk)).toContain('there is no fleet yet: press 6, then n to create one');
});
