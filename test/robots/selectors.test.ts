import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld } from '../support/world.ts';

/** Five robots: a, b and c in a fleet of Osaka, d and e in one of the same name in New York. */
async function startSelectors() {
  const world = await startWorld();
  const make = factories(world);
  const [osaka, york] = [await make.site('Osaka'), await make.site('New York')];
  const robots = new Map<string, string>();
  const fleets = [];
  for (const [site, names] of [
    [osaka, ['a', 'b', 'c']],
    [york, ['d', 'e']],
  ] as const) {
    const fleet = await make.fleet(site.id, 'pickers');
    const { value } = await world
      .call('POST', '/api/enrollment-keys', { body: { site_id: site.id, fleet_id: fleet.id } })
      .then(({ body }) => body.data);
    for (const name of names) robots.set(name, (await make.robot(name, { value })).robot_id);
    fleets.push(fleet);
  }
  const label = (name: string, labels: object) =>
    world.call('PATCH', `/api/robots/${robots.get(name)}`, { body: { labels } });
  const change = (table: string, name: string, row: object) =>
    world
      .db(table)
      .insert({ org_id: world.orgId, robot_id: robots.get(name), ...row })
      .onConflict(['org_id', 'robot_id'])
      .merge();
  await label('a', { tier: 'canary', floor: '1' });
  await label('b', { tier: 'usual', floor: '2' });
  await label('c', { floor: '2' });
  const find = (selector: string, token = world.orgToken) =>
    world.call('GET', `/api/robots?label=${encodeURIComponent(selector)}`, { token });
  return {
    world,
    make,
    change,
    find,
    osaka,
    fleets,
    matches: async (selector: string) => {
      const { body, text } = await find(selector);
      if (!body.items) throw new Error(`${selector}: ${text}`);
      return (body.items as { name: string }[])
        .map(({ name }) => name)
        .sort()
        .join('');
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const at = new Date().toISOString();
const link = {
  epoch: 1,
  replica_id: null,
  connected_at: new Date(),
  last_seen_at: new Date(),
  agent_version: 'test/1',
};
const condition = (name: string) => ({ rule_id: randomUUID(), name, severity: 'degraded', since: at, message: '' });

test('each operator finds robots by their labels; != and notin also those without the label', async () => {
  await using it = await startSelectors();
  for (const [selector, names] of [
    ['tier=canary', 'a'],
    ['tier==canary', 'a'],
    ['tier!=canary', 'bcde'],
    ['tier in (canary,usual)', 'ab'],
    ['tier notin (canary,usual)', 'cde'],
    ['tier', 'ab'],
    ['!tier', 'cde'],
    ['tier=Canary', ''],
    ['tier=', ''],
    ['constructor', ''],
    ['floor=2,tier', 'b'],
    ['floor=2,!tier', 'c'],
    ["tier=x' or true or '?", ''],
  ] as const)
    expect([selector, await it.matches(selector)]).toEqual([selector, names]);
});

test('@site and @fleet take IDs and names in any letter case, and fleets of one name are told apart by their sites', async () => {
  await using it = await startSelectors();
  for (const [selector, names] of [
    ['@site=osaka', 'abc'],
    [`@site=${it.osaka.id as string}`, 'abc'],
    ['@site!=Osaka', 'de'],
    ['@site in (Osaka,new york)', 'abcde'],
    ['@fleet=Pickers', 'abcde'],
    ['@fleet=New York/pickers', 'de'],
    [`@fleet=${it.fleets[0].id as string}`, 'abc'],
    [`@fleet notin (${it.fleets[0].id as string})`, 'de'],
    ['@fleet', 'abcde'],
    ['!@site', ''],
    ['@site=Osaka,floor=2', 'bc'],
  ] as const)
    expect([selector, await it.matches(selector)]).toEqual([selector, names]);
});

test('@release finds robots by what they report, as a tag or as kind and tag', async () => {
  await using it = await startSelectors();
  for (const [name, kind, tag] of [
    ['a', 'file', 'nav-1'],
    ['b', 'archive', 'nav-1'],
    ['c', 'file', 'nav-2'],
  ] as const) {
    const { id } = await it.make.release({ kind, tag });
    const releases = { [kind]: { release_id: id, tag, deployment_id: randomUUID(), at } };
    await it.change('robot_reports', name, { releases: JSON.stringify(releases) });
  }
  for (const [selector, names] of [
    ['@release=nav-1', 'ab'],
    ['@release=file/nav-1', 'a'],
    ['@release in (archive/nav-1,nav-2)', 'bc'],
    ['@release!=nav-1', 'cde'],
    ['@release', 'abc'],
    ['!@release', 'de'],
    ['@release=nav-3', ''],
  ] as const)
    expect([selector, await it.matches(selector)]).toEqual([selector, names]);
});

test('@condition finds robots by their active conditions', async () => {
  await using it = await startSelectors();
  const [low, hot] = [condition('battery-low'), condition('Motor hot')];
  // Those of a robot whose labels changed may just be evaluated anew.
  await it.change('robot_status', 'e', { conditions: JSON.stringify([low]) });
  await it.change('robot_status', 'd', { conditions: JSON.stringify([low, hot]) });
  for (const [selector, names] of [
    ['@condition=battery-low', 'de'],
    ['@condition=motor hot', 'd'],
    [`@condition=${low.rule_id}`, 'de'],
    ['@condition!=Motor hot', 'abce'],
    ['@condition notin (Motor hot,battery-low)', 'abc'],
    ['@condition', 'de'],
    ['!@condition', 'abc'],
    ['@condition=nothing', ''],
  ] as const)
    expect([selector, await it.matches(selector)]).toEqual([selector, names]);
});

test('@capability finds robots by the last hello of their agents', async () => {
  await using it = await startSelectors();
  await it.change('robot_links', 'a', { ...link, boot_id: 'b', instance: 'i', takes_orders: true, opens_shells: true });
  await it.change('robot_links', 'b', { ...link, boot_id: 'b', instance: 'i', cameras: '["front"]', has_topics: true });
  await it.change('robot_links', 'c', { ...link, boot_id: 'b', instance: 'i' });
  for (const [selector, names] of [
    ['@capability=orders', 'a'],
    ['@capability=shell', 'a'],
    ['@capability=cameras', 'b'],
    ['@capability=topics', 'b'],
    ['@capability in (orders,topics)', 'ab'],
    ['@capability!=orders', 'bcde'],
    ['@capability', 'ab'],
    ['!@capability', 'cde'],
  ] as const)
    expect([selector, await it.matches(selector)]).toEqual([selector, names]);
});

test('a site, fleet or capability that does not exist is refused, also one of another org', async () => {
  await using it = await startSelectors();
  const other = await it.make.org();
  const elsewhere = await it.make.site('Elsewhere', other.token);
  const refusals: [string, string][] = [
    ['@site=Elsewhere', 'query.label: site "Elsewhere" not found'],
    [`@site!=${elsewhere.id as string}`, `query.label: site "${elsewhere.id as string}" not found`],
    ['@fleet in (pickers,Osaka/packers)', 'query.label: fleet "Osaka/packers" not found'],
    [
      '@capability=camera',
      'query.label: unknown capability "camera"; use orders, shell, cameras, topics, signed_only, gates, windows',
    ],
  ];
  for (const [selector, message] of refusals)
    expect((await it.find(selector)).body).toEqual({ error: { code: 'bad_request', message } });
  expect((await it.find('@site=Elsewhere', other.token)).body.items).toEqual([]);
  expect((await it.find('@site=Osaka', other.token)).status).toBe(400);
});

test('a selector with a NUL character is refused', async () => {
  await using it = await startSelectors();
  expect((await it.find('tier=a\u0000b')).status).toBe(400);
});
