import { expect, test } from 'vitest';
import { agentFrames, serverFrames } from '../../generated/frames.js';
import { closeCodes, limits } from '../../generated/protocol.js';
import { shellAgentFrames, viewerFrames } from '../../generated/shell.js';
import { sourceFrames, watcherFrames } from '../../generated/media.js';
import { startWorld } from '../support/world.ts';

interface Schema {
  examples?: unknown[];
  properties?: Record<string, Schema>;
}

interface Document {
  asyncapi: string;
  info: { version: string; description: string };
  channels: Record<string, { address: string; messages: Record<string, { $ref: string }> }>;
  operations: Record<string, { action: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
  components: {
    messages: Record<string, { name: string; payload?: Schema & { $ref?: string } }>;
    schemas?: Record<string, Schema>;
  };
}

async function served(): Promise<{ headers: Headers; text: string; document: Document; again: Response }> {
  await using world = await startWorld();
  const response = await fetch(`${world.url}/asyncapi.json`);
  expect(response.status).toBe(200);
  const etag = response.headers.get('etag') ?? '';
  const again = await fetch(`${world.url}/asyncapi.json`, { headers: { 'If-None-Match': etag } });
  const text = await response.text();
  return { headers: response.headers, text, document: JSON.parse(text) as Document, again };
}

test('/asyncapi.json is served to everybody and every origin, with a strong ETag', async () => {
  const { headers, document, again } = await served();
  expect(headers.get('content-type')).toContain('application/json');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
  expect(headers.get('cache-control')).toContain('max-age=60');
  expect(again.status).toBe(304);
  expect(document.asyncapi).toBe('3.0.0');
  expect(Object.values(document.channels).map(({ address }) => address)).toEqual([
    '/agent/ws',
    '/api/robots/{id}/shell/ws',
    '/agent/streams/{replica}/{session}',
    '/api/robots/{id}/camera/ws',
    '/api/robots/{id}/ros/topics/echo',
    '/api/robots/{id}/logs/ws',
  ]);
});

test('every message of /asyncapi.json has examples, and the validators that the service uses take each', async () => {
  const { document } = await served();
  const resolve = (schema: Schema & { $ref?: string }): Schema =>
    schema.$ref === undefined
      ? schema
      : (schema.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as Schema);
  const validators: Record<string, (frame: unknown) => boolean> = {
    ...agentFrames,
    ...serverFrames,
    ...shellAgentFrames,
    ...viewerFrames,
    ...watcherFrames,
  };
  const messages = Object.values(document.components.messages);
  // Bytes have no schema, what comes of the logs is made and read by programs that share none, and records of topics have a type of their own.
  const ofTopics = { topic_gap: sourceFrames.gap, topic_status: sourceFrames.status };
  const others = ['bytes', 'record', 'gap', 'picture', 'topic_record', 'topics', ...Object.keys(ofTopics)];
  expect(messages.map(({ name }) => name).sort()).toEqual([...Object.keys(validators), ...others].sort());
  for (const { name, payload } of messages) {
    if (!payload || others.includes(name)) continue;
    const { examples = [] } = resolve(payload);
    expect(examples.length, name).toBeGreaterThan(0);
    for (const example of examples) {
      expect((example as { type: string }).type).toBe(name);
      expect(validators[name]?.(example), JSON.stringify(example)).toBe(true);
    }
  }
  for (const [name, validate] of Object.entries(ofTopics)) {
    const payload = messages.find((each) => each.name === name)?.payload;
    for (const example of payload ? (resolve(payload).examples ?? []) : []) expect(validate(example), name).toBe(true);
  }
});

test('what each side sends by /asyncapi.json is what its validators know', async () => {
  const { document } = await served();
  const namesOf = (action: string, channel: string) =>
    Object.values(document.operations)
      .filter((operation) => operation.action === action && operation.channel.$ref === `#/channels/${channel}`)
      .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1) ?? ''))
      .map((key) => document.components.messages[key]?.name)
      .sort();
  expect(namesOf('receive', 'agentLink')).toEqual(Object.keys(agentFrames).sort());
  expect(namesOf('send', 'agentLink')).toEqual(Object.keys(serverFrames).sort());
  const shown = ['topic_record', 'topic_gap', 'topic_status'];
  const dialledBack = ['picture', 'topics', ...shown];
  for (const [receives, sends, channel] of [
    [[...Object.keys(viewerFrames), 'bytes'], [...Object.keys(shellAgentFrames), 'bytes'], 'robotShell'],
    [
      [...Object.keys(shellAgentFrames), 'bytes', ...dialledBack],
      [...Object.keys(viewerFrames), 'bytes', ...Object.keys(watcherFrames)],
      'agentStream',
    ],
    [[], ['picture'], 'robotCamera'],
    [[], shown, 'robotTopic'],
  ] as const) {
    expect(namesOf('receive', channel), channel).toEqual([...receives].sort());
    expect(namesOf('send', channel), channel).toEqual([...sends].sort());
  }
});

test('the close codes and limits that /asyncapi.json tells are those of the service', async () => {
  const { document, text } = await served();
  const { description } = document.info;
  for (const code of Object.values(closeCodes)) expect(description).toContain(`| ${code} |`);
  for (const [name, value] of Object.entries(limits)) expect(description).toContain(`| ${name} | ${value} |`);
  expect(text).not.toContain('{close codes}');
  expect(text).not.toContain('{limits}');
});
