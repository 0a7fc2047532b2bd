import { expect, test } from 'vitest';
import { CliError } from '../../../../cli/command-line/errors.ts';
import type { Mutations } from '../../../../cli/ui/data/mutations.ts';
import { factories } from '../../../support/factories.ts';
import { confirm, openDesk, pressAll, shown, type, want, type Desk } from '../../../support/ui-data-harness.ts';
import { fakeUi, robotNamed } from '../../../support/fake-ui.ts';
import { startWorld, type World } from '../../../support/world.ts';

type Order = Parameters<Mutations['deployRelease']>[0];

/** Three robots, a release and somebody at the list of robots; `onOrder` comes before each order and may keep it from being sent. */
async function openOrders(world: World, onOrder: (order: Order, sent: readonly Order[]) => Promise<void>) {
  const made = factories(world);
  const key = await made.key();
  for (const name of ['amr-1', 'amr-2', 'amr-3']) await made.robot(name, key);
  await made.release({ tag: 'nav-1.8.2' });
  const user = await made.user('operator', 'kim@example.com');
  const tokenOf = async () => (await world.call('POST', `/api/users/${user.id}/tokens`, { body: {} })).body.data;
  const { id, value } = await tokenOf();
  const desk = await openDesk(world, { token: value });
  const sent: Order[] = [];
  const { deployRelease } = desk.ui.mutations;
  desk.ui.mutations.deployRelease = async (order) => {
    sent.push(order);
    await onOrder(order, sent);
    return deployRelease(order);
  };
  want(desk.ui.data.robots, desk.ui.data.deployments);
  await expect.poll(() => desk.ui.data.robots.get().value?.items.length).toBe(3);
  pressAll(desk, 'W');
  return {
    ...desk,
    sent,
    tokenOf,
    revoke: () => world.call('POST', `/api/tokens/${id}/revoke`),
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  };
}

/** Opens the plan for what is chosen in the list. */
async function openPlan(desk: Pick<Desk, 'ui'>): Promise<void> {
  pressAll(desk, 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a release');
  pressAll(desk, 'enter', 'enter', 'enter');
  await expect.poll(() => desk.ui.overlay.get()?.kind).toBe('plan');
  expect(shown(desk)).toContain('Same as');
}

test('a refusal that concerns all stops the rest, tells what is left, and only that is sent again, by the same keys', async () => {
  await using world = await startWorld();
  await using desk = await openOrders(world, async (_, { length }) => {
    if (length === 2) await desk.revoke();
  });
  const { ui, sent } = desk;
  pressAll(desk, 'ctrl-a');
  await openPlan(desk);
  expect(shown(desk)).toContain('3, one for each robot');
  type(desk, '3 robots');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('1 of 3 created; not created: ');
  expect(shown(desk)).toContain('enter retries, safe to repeat');
  expect(shown(desk)).toContain('Token rejected');
  expect(sent).toHaveLength(2);
  expect(await world.count('deployments')).toBe(1);

  await ui.mutations.signIn((await desk.tokenOf()).value);
  expect(shown(desk)).toContain('1 of it is ordered already, and not again.');
  confirm(desk);
  await expect.poll(() => ui.notice.get()?.text).toContain('Deploying nav-1.8.2 to 3 robots');
  expect(sent).toHaveLength(4);
  expect(sent[2]?.idempotencyKey).toBe(sent[1]?.idempotencyKey);
  expect(new Set(sent.map(({ target }) => JSON.stringify(target))).size).toBe(3);
  expect(await world.count('deployments')).toBe(3);
});

test('a refusal of one robot alone leaves the others their order', async () => {
  await using world = await startWorld();
  await using desk = await openOrders(world, async (_, { length }) => {
    if (length === 1) throw new CliError('robot not found', { code: 'not_found' });
  });
  pressAll(desk, 'ctrl-a');
  await openPlan(desk);
  type(desk, '3 robots');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('robot not found');
  expect(shown(desk)).toMatch(/2 of 3 created; not created: amr-\d\./);
  expect(await world.count('deployments')).toBe(2);
});

test('an order whose answer was lost is one order, also by way of the form, and not before another time', async () => {
  await using world = await startWorld();
  await using desk = await openOrders(world, async () => undefined);
  const { ui, sent } = desk;
  const { deployRelease } = ui.mutations;
  ui.mutations.deployRelease = async (order) => {
    const made = await deployRelease(order);
    if (sent.length === 1) throw new CliError('the connection was lost');
    return made;
  };
  pressAll(desk, 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a release');
  pressAll(desk, 'enter', 'enter', 'ctrl-u');
  type(desk, 'in 30m');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('not before');
  confirm(desk);
  await expect.poll(() => shown(desk)).toContain('the connection was lost');
  pressAll(desk, 'esc');
  expect(shown(desk)).toContain('continues to the plan');
  pressAll(desk, 'enter');
  await expect.poll(() => ui.overlay.get()?.kind).toBe('plan');
  confirm(desk);
  await expect.poll(() => ui.notice.get()?.text).toContain('Deploying nav-1.8.2');
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(await world.count('deployments')).toBe(1);
});

test('who quits while orders are sent is told how many are made, and leaves by asking again', async () => {
  await using world = await startWorld();
  let goOn: () => void = () => undefined;
  await using desk = await openOrders(world, (_, { length }) =>
    length === 2 ? new Promise((resolve) => (goOn = resolve)) : Promise.resolve(),
  );
  const { ui, left, sent } = desk;
  pressAll(desk, 'ctrl-a');
  await openPlan(desk);
  type(desk, '3 robots');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('In progress: 1 of 3 created');

  const told = '1 of 3 created. Quit again to leave without the rest.';
  pressAll(desk, 'ctrl-c');
  expect(left).toEqual([]);
  expect(shown(desk)).toContain(told);
  expect(ui.notice.get()?.text).toBe(told);
  ui.notice.set(undefined);
  pressAll(desk, 'esc', 'q');
  expect(left).toEqual([]);
  expect(ui.notice.get()?.text).toBe(told);
  pressAll(desk, 'q');
  expect(left).toEqual([0]);

  goOn();
  await expect.poll(() => ui.notice.get()?.text).toContain('Deploying nav-1.8.2 to 3 robots');
  expect(sent).toHaveLength(3);
  pressAll(desk, 'q');
  expect(left).toEqual([0, 0]);
});

test('what is left of a plan that went on alone comes back, and its text is typed anew', async () => {
  await using world = await startWorld();
  let goOn: () => void = () => undefined;
  await using desk = await openOrders(world, async (_, { length }) => {
    if (length !== 2) return;
    await new Promise<void>((resolve) => (goOn = resolve));
    throw new CliError('too many requests', { status: 429, hint: 'Try again in 12 s' });
  });
  pressAll(desk, 'ctrl-a');
  await openPlan(desk);
  type(desk, '3 robots');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('In progress: 1 of 3 created');
  pressAll(desk, 'esc');
  expect(shown(desk)).toBe('');
  goOn();
  await expect.poll(() => shown(desk)).toContain('Try again in 12 s');
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('Type exactly: 3 robots');
});

test('a deployment that was ordered opens, several open their list, and who closed the plan stays where they are', async () => {
  await using world = await startWorld();
  await using desk = await openOrders(world, async () => undefined);
  const { views } = desk.ui;
  await openPlan(desk);
  confirm(desk);
  await expect.poll(() => views.get().current.place.screen).toBe('deployment');
  expect(views.get().current.place.deployment).toMatchObject({ deploymentKind: 'release' });
  expect(desk.ui.notice.get()?.text).toMatch(/^Deploying nav-1\.8\.2 to /);
  pressAll(desk, 'esc', 'space', 'space');
  await openPlan(desk);
  type(desk, '2 robots');
  confirm(desk);
  await expect.poll(() => views.get().current.place.screen).toBe('deployments');
});

test.each([
  [undefined, 'nav-1.8.2', true],
  [{}, 'nothing', false],
  [{ running_sha256: 'ab' }, 'something else', false],
  [{ running_sha256: 'ab', running_tag: 'nav-1.7.0' }, 'nav-1.7.0', false],
])('a robot that drifted, as in %j, runs what the plan says, and not the release', async (drift, runs, isThere) => {
  const { ui, feeds, clock } = fakeUi();
  const desk = { ui, passMs: (ms: number) => void (clock.nowMs += ms) };
  const at = '2026-11-21T09:00:00.000Z';
  for (const feed of [feeds.sites, feeds.fleets, feeds.rolloutPolicies]) feed.fill([]);
  feeds.releases.fill([
    { id: 'rel-1', tag: 'nav-1.8.2', kind: 'file', artifact_sha256: 'cd', created_at: at } as never,
  ]);
  const report = { release_id: 'rel-1', tag: 'nav-1.8.2', deployment_id: 'dep-1', at };
  const file = { ...report, ...(drift && { drift: { since: at, ...drift } }) };
  feeds.robots.fill([robotNamed('amr-1', { reported: { releases: { file }, configs: {} } })]);
  pressAll(desk, 'W');
  await openPlan(desk);
  expect(shown(desk)).toMatch(new RegExp(`Running +${runs}\n`));
  expect(shown(desk).includes('All of these robots already run it.')).toBe(isThere);
});
