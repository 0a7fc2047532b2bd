import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { refusedFields, refusedJson, someTexts } from '../../support/hostile-inputs.ts';
import { headersFor, operations, type Operation, type Schema } from '../../support/operations.ts';
import { startScene } from '../../support/scene.ts';
import { startIsolatedWorld, type Answer, type World } from '../../support/world.ts';

const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true, 'date-time': true } });
const changing = operations.filter(({ body }) => body !== undefined);
const mark = '@slot@';

/** Where a value stands in a body: `['name']`, `['labels', 'floor']`. */
interface Slot {
  at: string[];
  schema: Schema;
}

function slotsOf(schema: Schema, at: string[] = []): Slot[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const here = [...at, name];
    const values = child.additionalProperties;
    return [
      { at: here, schema: child },
      ...(typeof values === 'object' ? [{ at: [...here, 'floor'], schema: values }] : []),
      ...slotsOf(child, here),
    ];
  });
}

/** The text of a body with a piece of JSON, whatever it is, in one slot. */
function bodyWith(body: Record<string, unknown>, at: string[], json: string): string {
  const [first = '', second] = at;
  const value = second === undefined ? mark : { [second]: mark };
  return JSON.stringify({ ...body, [first]: value }).replace(`"${mark}"`, () => json);
}

/** What a field that takes any JSON takes. */
const isPlainJson = (json: string): boolean =>
  ['null', '[]', '["a"]', 'true', '{"$gt":""}', '-1', '1.5'].includes(json);

/** A 4xx in the envelope; whether the status is one of the contract was checked by the world. */
function expectRefusal(answer: Answer, what: string): void {
  expect([400, 413], `${what}: ${answer.text.slice(0, 200)}`).toContain(answer.status);
  expect(Object.keys(answer.body), what).toEqual(['error']);
}

/** Nothing reached the prototype of all objects of this process, which is the service's too, and no log line is two or a fault. */
function expectUnharmed(world: World): void {
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  const lines = world.lines.map((line) => {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    return JSON.parse(line) as { level: number; msg: string };
  });
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  expect(lines.filter(({ msg }) => msg === 'forged')).toEqual([]);
}

test('what no field takes is refused in every field of every body, and changes nothing', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  const rows = () =>
    Promise.all(
      [
        'sites',
        'fleets',
        'users',
        'robots',
        'tokens',
        'orgs',
        'audit',
        'releases',
        'config_revisions',
        'deployments',
      ].map(world.count),
    );
  const before = await rows();
  let calls = 0;
  await Promise.all(
    changing.map(async (operation) => {
      const { path, body = {} } = await scene.call(operation, { fresh: false });
      const token = scene.tokenFor(operation);
      const refuse = async (what: string, text: string) => {
        calls += 1;
        const answer = await world.call(operation.method, path, { token, headers: headersFor(operation), body: text });
        expectRefusal(answer, `${operation.id}, ${what}`);
      };
      for (const { at, schema } of slotsOf(operation.body?.schema ?? {}))
        for (const [name, json] of Object.entries(refusedJson)) {
          // Labels are an object: some of what others refuse is theirs to take.
          if (schema.type === 'object' && json.startsWith('{"$gt"')) continue;
          if (schema.type === undefined && isPlainJson(json)) continue;
          if (schema.type === 'boolean' && json === 'true') continue;
          if (schema.type === 'array' && (schema.minItems ?? 0) === 0 && json === '[]') continue;
          if (['group_by', 'messages'].includes(at[0] ?? '') && json === '["a"]') continue; // a label, a message
          if (schema.type === 'number' && json === '1.5') continue;
          await refuse(`${at.join('.')} is ${name}`, bodyWith(body, at, json));
        }
      const whole = JSON.stringify(body);
      for (const [name, field] of Object.entries(refusedFields)) {
        await refuse(
          `${name} in front`,
          whole.replace('{', () => `{${field}${whole === '{}' ? '' : ','}`),
        );
        if (whole !== '{}')
          await refuse(
            `${name} behind`,
            whole.replace(/\}$/, () => `,${field}}`),
          );
      }
      for (const text of [' ', '[]', `[${whole}]`, '"a"', '1', 'null', '{', `${whole}}`, `${whole}{}`, `{${whole}`])
        await refuse(`the body ${text}`, text);
      const other = await world.call(operation.method, path, {
        token,
        headers: headersFor(operation),
        body: Buffer.from([0x7b, 0xff, 0x7d]),
      });
      expectRefusal(other, `${operation.id}, a body that is not UTF-8`);
    }),
  );
  expect(await rows()).toEqual(before);
  expectUnharmed(world);
  expect(calls).toBeGreaterThan(600);
});

/** With what a text in this field may be answered that the contract takes. */
function mayAnswer({ path }: Operation, field: string): number[] {
  if (field === 'backoff') return [400]; // no text is a duration
  if (path.endsWith('/waves')) return [400, 409]; // as below, and most texts are no selector
  if (/\/(advance|skip|rollback|retry|approvals)$/.test(path)) return [409]; // the deployment of the scene has not begun, and waits for nobody
  if (/deployments.*\/resume$/.test(path)) return [200, 409]; // beside a freeze
  if (field === 'email') return [201, 409];
  if (field === 'pattern') return [200, 201, 400, 409]; // many texts are a regular expression
  if (path === '/api/log-redactions') return [201, 400, 409]; // an org has each pattern once, and at most 50
  if (field === 'name') return [200, 201, 409]; // that of another object
  if (['expression', 'clear', 'for', 'scope'].includes(field)) return [200, 201, 400]; // most texts are none
  if (field === 'target_selector') return [400]; // the scene deploys to a fleet
  if (field === 'plan_id') return [400]; // it has the release and the target
  if (path === '/api/deployment-plans' && field === 'config_id') return [400]; // the plan of the scene is of a release
  if (field === 'selector') return [200, 201, 400, 409]; // some are selectors
  if (path === '/api/disruption-budgets') return [201, 409]; // an org has at most 20
  if (['scheduled_at', 'until', 'dynamic_until'].includes(field)) return [400]; // no format is known here; no text is an instant
  return field.endsWith('_id') && field !== 'key_id' ? [404] : [200, 201];
}

test('an awkward text in any field of any body is refused, or stored and read back as it was sent', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  const stored = new Map<string, Record<string, unknown>>();
  await Promise.all(
    changing.map(async (operation) => {
      const { path, body = {} } = await scene.call(operation, { fresh: false });
      const token = scene.tokenFor(operation);
      const schema = operation.body?.schema ?? {};
      const fits = ajv.compile(schema);
      for (const [index, { at, schema: slot }] of slotsOf(schema).entries()) {
        const longest = slot.maxLength ?? 0;
        const cases: Record<string, string> = {
          ...someTexts(index + changing.indexOf(operation), 2),
          'emoji up to the limit': '🦾'.repeat(longest),
          'emoji beyond the limit': '🦾'.repeat(longest + 1),
          'letters up to the limit': 'é'.repeat(longest),
        };
        for (const [name, text] of Object.entries(cases)) {
          const what = `${operation.id}, ${at.join('.')} is ${name}`;
          // A new user and a new robot each time, unless their own field is the slot; of what is there, nothing else is changed.
          const unique: Record<string, string> = {
            email: `${randomUUID()}@example.com`,
            nonce: randomUUID(),
            tag: randomUUID(),
            selector: '!spare', // the fleet gets other names
            pattern: `code ${randomUUID()}`,
          };
          const made = Object.entries(body).map(([key, value]) => [key, unique[key] ?? value]);
          const base = operation.method === 'PATCH' ? {} : (Object.fromEntries(made) as Record<string, unknown>);
          const [field = '', inner] = at;
          if (field === 'signature' || field === 'key_id') Object.assign(base, { signature: 'c2ln', key_id: 'k' }); // one is none
          const sent = bodyWith(base, at, JSON.stringify(text));
          const answer = await world.call(operation.method, path, {
            token,
            headers: headersFor(operation),
            body: sent,
          });
          // While the org is frozen, no deployment is resumed.
          if (operation.id === 'setDeploymentFreeze') await world.call('DELETE', '/api/deployment-freeze');
          if (!fits(JSON.parse(sent))) {
            expectRefusal(answer, what);
            continue;
          }
          const may = mayAnswer(operation, field);
          expect(may, `${what}: ${answer.text}`).toContain(answer.status);
          if (answer.status > 201 || operation.storesNothing) continue;
          if (operation.id === 'enrollAgent' && field === 'name') continue; // a taken name gets a number
          const wanted = field === 'email' ? text.toLowerCase() : text;
          const data = answer.body.data as Record<string, unknown>;
          const shown: Record<string, unknown> =
            operation.id === 'enrollAgent' ? { id: data['robot_id'], name: data['robot_name'] } : data;
          if (field === 'reason' && operation.id.endsWith('Deployment')) continue; // its events show it
          if (field === 'nonce' || field === 'replaces_token') continue; // not shown
          if (['clear', 'selector', 'artifact_base_url'].includes(field) && text === '') continue; // none of its own, and so not shown
          const got = inner === undefined ? shown[field] : (data[field] as Record<string, unknown>)[inner];
          expect(got, what).toBe(wanted);
          if (operation.id === 'createOrgToken') continue; // of another org, whose lists are not read below
          if (operation.id === 'setDeploymentFreeze' || operation.id === 'setRobotPin') continue; // in no list
          const id = shown['id'] as string;
          stored.set(id, { ...stored.get(id), [field]: inner === undefined ? wanted : { [inner]: wanted } });
        }
      }
    }),
  );
  const orders = ['releases', 'configs', 'deployments', 'configs/deployments'];
  const health = ['condition-rules', 'maintenance-windows', 'rollout-policies', 'disruption-budgets', 'log-redactions'];
  const lists = ['users', 'tokens', 'sites', 'fleets', 'enrollment-keys', 'robots', ...health, ...orders].map(
    (name) => `/api/${name}`,
  );
  let found = 0;
  for (const path of [...lists, '/api/admin/orgs']) {
    const token = path.startsWith('/api/admin') ? world.adminToken : world.orgToken;
    for (const item of (await world.call('GET', path, { token })).body.items) {
      const wanted = stored.get(item.id);
      if (wanted === undefined) continue;
      found += 1;
      expect(item, path).toMatchObject(wanted);
    }
  }
  expect(found).toBe(stored.size);
  expect(found).toBeGreaterThan(150);
  // Each of them stands in the audit log too, which must be whole.
  expect((await world.call('GET', '/api/audit')).status).toBe(200);
  expectUnharmed(world);
});

test('labels take the names of their pattern and no other, and no more than 64', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  const set = (labels: object | string) =>
    world.call('PATCH', `/api/robots/${scene.robotId}`, {
      body: typeof labels === 'string' ? `{"labels":${labels}}` : { labels },
    });
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, '🦾']));
  for (const labels of [{}, { 'a.b_c-d': '' }, { ['a'.repeat(64)]: 'é'.repeat(128) }, many(64), { tostring: 'x' }]) {
    const answer = await set(labels);
    expect(answer.status).toBe(200);
    expect((await world.call('GET', `/api/robots/${scene.robotId}`)).body.data.labels).toEqual(labels);
  }
  const refused = [
    many(65),
    { A: '' },
    { '': '' },
    { ['a'.repeat(65)]: '' },
    { ä: '' },
    { 'a\n': '' },
    { a: 1 },
    { a: { b: '' } },
    { a: 'é'.repeat(129) },
  ];
  for (const labels of [...refused, '{"__proto__":"x"}', '{"constructor":"x"}', '{"a":"\\ud800"}', '[]'])
    expectRefusal(await set(labels), JSON.stringify(labels));
  expectUnharmed(world);
});

test('what does not have the form that the contract asks for is told what it must be, in the words of the contract', async () => {
  await using world = await startIsolatedWorld();
  const { robot_id: id } = (await factories(world).robot()) as { robot_id: string };
  const refusals = [
    ['POST', '/api/users', { email: 'kim', role: 'viewer' }, 'body.email: must be an address such as kim@example.com'],
    [
      'PATCH',
      `/api/robots/${id}`,
      { labels: { 'Two Floors': '2' } },
      'body.labels: names must be 1 to 64 of `a-z 0-9 . _ -`, the first a letter or a digit',
    ],
  ] as const;
  for (const [method, path, body, message] of refusals)
    expect((await world.call(method, path, { body })).body).toEqual({ error: { code: 'bad_request', message } });
});

test('a name, whatever it names, is of any language, and neither blank nor with white space around it or control characters in it', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  const named = changing.filter(({ body }) => body?.schema.properties?.['name']);
  expect(named.map(({ id }) => id).sort()).toEqual([
    'createConditionRule',
    'createDisruptionBudget',
    'createFleet',
    'createLogRedaction',
    'createOrg',
    'createRolloutPolicy',
    'createSite',
    'createUser',
    'enrollAgent',
    'updateConditionRule',
    'updateDisruptionBudget',
    'updateFleet',
    'updateLogRedaction',
    'updateRobot',
    'updateRolloutPolicy',
    'updateSite',
    'updateUser',
  ]);
  const words = 'must not begin or end with white space, nor hold control characters';
  const scarce = ['updateDisruptionBudget', 'updateLogRedaction']; // an org has at most 20, or 50
  const refused = [
    ' ',
    '\t',
    '\u3000',
    '\u00a0',
    ' Osaka',
    'Osaka ',
    'Osaka\n',
    'O\u0007saka',
    'O\u001bsaka',
    'O\u0085a',
  ];
  const taken = ['a', '大阪', 'São Paulo', 'مستودع ١', 'Zürich 2, Halle "B"', '👩‍👩‍👧', 'Ελλάδα', 'นคร'];
  for (const operation of named) {
    const send = async (name: string) => {
      const { path, body } = await scene.call(operation, { fresh: !scarce.includes(operation.id) });
      return world.call(operation.method, path, { token: scene.tokenFor(operation), body: { ...body, name } });
    };
    for (const name of refused) {
      const answer = await send(name);
      expectRefusal(answer, `${operation.id} ${JSON.stringify(name)}`);
      expect(answer.body.error.message).toBe(`body.name: ${words}`);
    }
    for (const each of taken) {
      const name = `${each} ${operation.id}`; // names of one kind are unique
      const { data } = (await send(name)).body;
      expect(data?.name ?? data?.robot_name, `${operation.id} ${name}`).toBe(name);
    }
  }
});
