import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import { agentFrames, serverFrames } from '../../generated/frames.js';
import { shellAgentFrames, viewerFrames } from '../../generated/shell.js';
import { transcripts } from '../support/transcripts.ts';
import { startWorld } from '../support/world.ts';

interface Served {
  $id: string;
  $schema: string;
  examples?: unknown[];
}

/** What a vendor gets who asks for the list, and then for each schema in it. */
async function served(): Promise<Map<string, { schema: Served; response: Response; again: Response }>> {
  await using world = await startWorld();
  const list = await fetch(`${world.url}/schemas`);
  const { items } = (await list.json()) as { items: { path: string; title: string; description: string }[] };
  const answers = items.map(async ({ path, title, description }) => {
    expect(`${title}${description}`, path).toMatch(/\w/);
    const response = await fetch(`${world.url}${path}`);
    const again = await fetch(`${world.url}${path}`, {
      headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
    });
    return [path, { schema: (await response.json()) as Served, response, again }] as const;
  });
  return new Map(await Promise.all(answers));
}

test('every JSON message of the WebSockets has a schema at a path of its own, for everybody and with a strong ETag', async () => {
  const all = await served();
  const told = Object.values(asyncapi.components.messages).flatMap((message) =>
    'x-json-schema' in message ? [message['x-json-schema']] : [],
  );
  const withPayload = Object.values(asyncapi.components.messages).filter((message) => 'payload' in message);
  expect(told).toHaveLength(withPayload.length);
  expect([...all.keys()].sort()).toEqual(told.sort());
  for (const type of [...Object.keys(agentFrames), ...Object.keys(serverFrames)])
    expect(told).toContain(`/schemas/agent/${type}.json`);
  for (const type of [...Object.keys(shellAgentFrames), ...Object.keys(viewerFrames)])
    expect(told).toContain(`/schemas/shell/${type}.json`);
  for (const [path, { schema, response, again }] of all) {
    expect(schema.$id).toBe(path);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(response.status).toBe(200);
    expect(again.status).toBe(304);
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toContain('application/schema+json');
  }
});

test('a stock validator, told nothing and at its strictest, takes every schema alone and every example in it', async () => {
  for (const [path, { schema }] of await served()) {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);
    if (path !== '/schemas/logs/record.json') expect(schema.examples?.length ?? 0, path).toBeGreaterThan(0);
    for (const example of schema.examples ?? [])
      expect(validate(example), `${path} ${JSON.stringify(example)}`).toBe(true);
  }
});

test('by its schema every frame of the golden transcripts is what the service takes it for', async () => {
  const all = await served();
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const { schema } of all.values()) ajv.addSchema(schema);
  const validators = { agent: agentFrames, server: serverFrames };
  let compared = 0;
  for (const { name, steps } of transcripts)
    for (const step of steps) {
      if (!('frame' in step)) continue;
      const known: Partial<Record<string, (frame: unknown) => boolean>> = validators[step.from];
      const ours = known[step.frame.type];
      const theirs = ajv.getSchema(`/schemas/agent/${step.frame.type}.json`);
      expect(theirs === undefined, step.frame.type).toBe(ours === undefined);
      expect(theirs?.(step.frame), `${name} ${JSON.stringify(step.frame)}`).toBe(ours?.(step.frame));
      compared += 1;
    }
  expect(compared).toBeGreaterThan(50);
});

test('what no list names is not found', async () => {
  await using world = await startWorld();
  for (const path of ['/schemas/agent', '/schemas/agent/nothing.json', '/schemas/agent/Hello.json'])
    expect((await fetch(`${world.url}${path}`)).status, path).toBe(404);
});
