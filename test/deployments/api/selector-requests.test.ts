import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startWorld } from '../../support/world.ts';

async function startRequests() {
  const world = await startWorld();
  const make = factories(world);
  const site = await make.site('Osaka');
  const fleet = await make.fleet(site.id, 'pickers');
  const [release, config] = [await make.release(), await make.config()];
  const kinds = {
    release: ['/api/deployments', { release_id: release.id }],
    config: ['/api/configs/deployments', { config_id: config.id }],
  } as const;
  return {
    world,
    make,
    fleet,
    deploy: (target: object, kind: keyof typeof kinds = 'release', token?: string) => {
      const [path, what] = kinds[kind];
      const headers = { 'Idempotency-Key': randomUUID() };
      return world.call('POST', path, { body: { ...what, ...target }, headers, token });
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const selector = (text: string) => ({ target_kind: 'selector', target_selector: text });

test.each(['release', 'config'] as const)('a %s deployment has its selector in the normal form', async (kind) => {
  await using it = await startRequests();
  const made = await it.deploy(selector(' tier == canary,@site= Osaka '), kind);
  expect(made.status).toBe(201);
  const { id, target_id } = made.body.data;
  const target = { target_kind: 'selector', target_id, target_selector: 'tier=canary,@site=Osaka' };
  expect(made.body.data).toMatchObject(target);
  const path = kind === 'release' ? '/api/deployments' : '/api/configs/deployments';
  expect((await it.world.call('GET', `${path}/${id as string}`)).body.data).toMatchObject(target);
  const { items } = (await it.world.call('GET', `${path}?target_id=${target_id as string}`)).body;
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject(target);
});

test.each(['/api/deployments', '/api/configs/deployments'])(
  '%s is filtered by a selector in any form',
  async (path) => {
    await using it = await startRequests();
    const kind = path === '/api/deployments' ? 'release' : 'config';
    const made = await it.deploy(selector('tier=canary,@site=Osaka'), kind);
    await it.deploy(selector('tier=spare'), kind);
    const found = async (query: string) => (await it.world.call('GET', `${path}?${query}`)).body;
    const ids = async (text: string) =>
      (await found(`target_selector=${encodeURIComponent(text)}`)).items.map(({ id }: { id: string }) => id);
    expect(await ids(' tier == canary,@site= Osaka')).toEqual([made.body.data.id]);
    expect(await ids('tier=nobody')).toEqual([]);
    expect((await found('target_selector=tier%20in')).error).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('query.target_selector'),
    });
    const both = `target_id=${made.body.data.target_id as string}&target_selector`;
    expect((await found(`${both}=tier%3Dcanary,@site%3DOsaka`)).items).toHaveLength(1);
    expect((await found(`${both}=tier%3Dspare`)).items).toEqual([]);
  },
);

test('equal selectors are stored once, and a later deployment can name the stored one', async () => {
  await using it = await startRequests();
  const [first, second] = await Promise.all([it.deploy(selector('tier')), it.deploy(selector(' tier'), 'config')]);
  const { target_id } = first.body.data;
  expect(second.body.data.target_id).toBe(target_id);
  expect((await it.deploy({ target_kind: 'selector', target_id })).body.data.target_selector).toBe('tier');
  expect(await it.world.count('selectors')).toBe(1);
});

test('a stored selector whose site has another name by now is refused, for a deployment and for a plan', async () => {
  await using it = await startRequests();
  const { target_id } = (await it.deploy(selector('@site!=Osaka'))).body.data;
  await it.world.call('PATCH', `/api/sites/${it.fleet.site_id as string}`, { body: { name: 'Kyoto' } });
  const refusal = { error: { code: 'bad_request', message: 'body.target_id: site "Osaka" not found' } };
  expect((await it.deploy({ target_kind: 'selector', target_id })).body).toEqual(refusal);
  const release = await it.make.release({ tag: 'planned' });
  const plan = { kind: 'release', release_id: release.id, target_kind: 'selector', target_id };
  expect((await it.world.call('POST', '/api/deployment-plans', { body: plan })).body).toEqual(refusal);
});

test('a deployment to a fleet has no target_selector', async () => {
  await using it = await startRequests();
  const made = await it.deploy({ target_kind: 'fleet', target_id: it.fleet.id });
  expect(made.body.data).not.toHaveProperty('target_selector');
});

test('what is wrong with a target is said of the field, and nothing is created', async () => {
  await using it = await startRequests();
  const id = it.fleet.id as string;
  const refusals: [object, string][] = [
    [{ target_kind: 'fleet' }, 'body: "target_id" is required'],
    [{ target_kind: 'robot' }, 'body: "target_id" is required'],
    [{ target_kind: 'selector' }, 'body: "target_selector" is required'],
    [{ ...selector('tier'), target_id: id }, 'body: target_id and target_selector exclude each other'],
    [
      { target_kind: 'fleet', target_id: id, target_selector: 'tier' },
      'body.target_selector: needs the target_kind selector',
    ],
    [selector(''), 'body.target_selector: must not be empty'],
    [selector(' '), 'body.target_selector: needs a requirement, such as tier=canary'],
    [selector(`tier=${'x'.repeat(500)}`), 'body.target_selector: must have at most 500 characters'],
    [
      selector('@sites=Osaka'),
      'body.target_selector: unknown key "@sites"; the reserved keys are @site, @fleet, @release, @condition, @capability',
    ],
    [selector('@site=Kyoto'), 'body.target_selector: site "Kyoto" not found'],
    [selector('tier,@fleet in (pickers,packers)'), 'body.target_selector: fleet "packers" not found'],
  ];
  for (const [target, message] of refusals)
    for (const kind of ['release', 'config'] as const)
      expect((await it.deploy(target, kind)).body).toEqual({ error: { code: 'bad_request', message } });
  expect(await it.world.count('deployments')).toBe(0);
  expect(await it.world.count('selectors')).toBe(0);
});

test('a stored selector of another org is not found', async () => {
  await using it = await startRequests();
  const { target_id } = (await it.deploy(selector('tier'))).body.data;
  const other = await it.make.org();
  const release = await it.make.release({}, other.token);
  const answer = await it.world.call('POST', '/api/deployments', {
    body: { release_id: release.id, target_kind: 'selector', target_id },
    headers: { 'Idempotency-Key': randomUUID() },
    token: other.token,
  });
  expect(answer.body).toEqual({ error: { code: 'not_found', message: 'selector not found' } });
  expect((await it.deploy({ target_kind: 'selector', target_id: 'x' })).status).toBe(404);
});
