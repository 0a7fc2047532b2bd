import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { operations, parametersIn, requiredQuery, schemas, type Content, type Schema } from '../support/operations.ts';
import { startScene } from '../support/scene.ts';
import { startIsolatedWorld } from '../support/world.ts';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int32: true, int64: true } });
addFormats(ajv);
const compiled = new Map<string, ValidateFunction>();

/** The same schema, closed: an example with a field that nobody described is not true. */
function closed(schema: Schema): Schema {
  const properties =
    schema.properties &&
    Object.fromEntries(Object.entries(schema.properties).map(([name, child]) => [name, closed(child)]));
  return {
    ...schema,
    ...(properties ? { properties, additionalProperties: schema.additionalProperties ?? false } : {}),
    ...(schema.items ? { items: closed(schema.items) } : {}),
  };
}

const examplesOf = (content: Content): unknown[] =>
  content.example === undefined ? Object.values(content.examples ?? {}).map(({ value }) => value) : [content.example];

/** What is wrong with an example; empty when it is true to its schema. */
function faults(schema: Schema, example: unknown): string {
  const key = JSON.stringify(schema);
  const validate = compiled.get(key) ?? ajv.compile(closed(schema));
  compiled.set(key, validate);
  return validate(example) ? '' : `${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`;
}

test('every body of the contract has an example, and each example fits its schema, with no field beyond it', () => {
  const bodies = operations.flatMap(({ id, body, replies }) => [
    ...(body ? [{ where: `${id} request`, content: body }] : []),
    ...replies.map(({ status, content }) => ({ where: `${id} ${status}`, content })),
  ]);
  const wrong = bodies.flatMap(({ where, content }) => {
    if (!content) return [`${where}: no JSON body`];
    const examples = examplesOf(content);
    if (examples.length === 0) return [`${where}: no example`];
    return examples
      .map((example) => faults(content.schema, example))
      .flatMap((text) => (text ? [`${where}: ${text}`] : []));
  });
  expect(wrong).toEqual([]);
  expect(bodies.length).toBeGreaterThan(200);
});

/** Whether a property is described where it stands, and not by a schema of its own name. */
const isOwn = (name: string, property: string): boolean => {
  const { properties = {} } = (contract.components.schemas as unknown as Record<string, Schema>)[name] ?? {};
  return !('$ref' in (properties[property] ?? {}));
};

test('every parameter, header and property has an example, and each fits its schema', () => {
  const wrong: string[] = [];
  const check = (where: string, schema: Schema, examples: unknown[]) => {
    if (examples.length === 0) wrong.push(`${where}: no example`);
    for (const example of examples) {
      const text = faults(schema, example);
      if (text) wrong.push(`${where}: ${text}`);
    }
  };
  for (const { id, parameters } of operations)
    for (const { name, schema, example } of parameters)
      check(`${id} ${name}`, schema, example === undefined ? [] : [example]);
  for (const [name, header] of Object.entries(contract.components.headers))
    check(name, header.schema, [header.example]);
  for (const [name, schema] of Object.entries(schemas))
    for (const [property, child] of Object.entries(schema.properties ?? {}))
      if (isOwn(name, property) && child.type !== 'array') check(`${name}.${property}`, child, child.examples ?? []);
  expect(wrong).toEqual([]);
});

test('the code in every example of an error is the code of its status', () => {
  const codes: Record<number, string> = {
    400: 'bad_request',
    401: 'unauthorized',
    403: 'forbidden',
    404: 'not_found',
    409: 'conflict',
    500: 'internal_server_error',
  };
  const wrong = operations.flatMap(({ id, replies }) =>
    replies
      .filter(({ status }) => status >= 400)
      .flatMap(({ status, content }) =>
        (content ? examplesOf(content) : []).flatMap((example) => {
          const { code } = (example as { error: { code: string } }).error;
          return code === (codes[status] ?? 'http_error') ? [] : [`${id} ${status}: ${code}`];
        }),
      ),
  );
  expect(wrong).toEqual([]);
});

/** The names of all fields, `data.org.id`; of a list, those of its first item. */
function fieldsOf(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return fieldsOf(value[0], `${prefix}[]`);
  if (typeof value !== 'object' || value === null) return [prefix];
  return Object.entries(value).flatMap(([name, child]) => fieldsOf(child, prefix === '' ? name : `${prefix}.${name}`));
}

test('each example of a request works as it stands, but for ids, and what comes back says what was sent', async () => {
  // It leaves many rollouts, which the shared service would decide on until its end.
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  for (const operation of operations) {
    const token = scene.tokenFor(operation);
    const { path, headers, body } = await scene.call(operation);
    const answer = await world.call(operation.method, path, { token, headers, body });
    expect([200, 201], `${operation.id}: ${answer.text}`).toContain(answer.status);
    if (answer.text === '') continue;
    const data = (answer.body.data ?? {}) as Record<string, unknown>;
    const echoed = Object.entries(body ?? {}).filter(([name]) => name in data);
    for (const [name, value] of echoed) expect(data[name], `${operation.id} ${name}`).toEqual(value);

    // What the service really says of a new object is what the example shows, field by field; history (revoked_at, …) it may lack.
    const example = operation.replies.find(({ status }) => status === answer.status)?.content?.example;
    const shown = fieldsOf(example);
    const given = new Set(fieldsOf(JSON.parse(answer.text)));
    if (body !== undefined && operation.method === 'POST')
      expect(
        shown.filter((field) => !given.has(field)),
        operation.id,
      ).toEqual([]);
  }
});

test('each example of a query parameter is taken', async () => {
  await using world = await startIsolatedWorld();
  const scene = await startScene(world);
  const wrong: string[] = [];
  for (const operation of operations)
    for (const { name, example } of parametersIn(operation, 'query')) {
      // A cursor is good for the list that gave it; its example only shows the form, and goes with a limit.
      if (name === 'cursor') continue;
      const { path } = await scene.call(operation, { fresh: operation.method !== 'GET' });
      const query = new URLSearchParams({ ...requiredQuery(operation), [name]: String(example) }).toString();
      const answer = await world.call(operation.method, `${path.replace(/\?.*/, '')}?${query}`, {
        token: scene.tokenFor(operation),
      });
      if (answer.status !== 200) wrong.push(`${operation.id} ${name}: ${answer.text}`);
    }
  expect(wrong).toEqual([]);
});
