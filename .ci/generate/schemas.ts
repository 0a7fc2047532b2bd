/** A JSON Schema for each message of the WebSockets that is JSON, by the path at which it is served. */

interface Message {
  name: string;
  title: string;
  payload?: { $ref: string };
}

export interface Messages {
  channels: Record<string, { messages: Record<string, { $ref: string }> }>;
  components: { messages: Record<string, Message>; schemas: Record<string, object> };
}

/** The folder of a message is that of the first of these channels that carries it. */
const folders = { agentLink: 'agent', robotShell: 'shell', agentStream: 'streams', robotLogs: 'logs' };
const dialect = 'https://json-schema.org/draft/2020-12/schema';
const prefix = '#/components/schemas/';

/** By the key of the message in the document. */
function pathsOf({ channels, components }: Messages): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [channel, folder] of Object.entries(folders))
    for (const key of Object.keys(channels[channel]?.messages ?? {})) {
      const message = components.messages[key];
      if (message?.payload && !paths.has(key)) paths.set(key, `/schemas/${folder}/${message.name}.json`);
    }
  return paths;
}

/** The document, in which each message says where its schema is. */
export function withSchemaPaths<T extends Messages>(document: T): T {
  const paths = pathsOf(document);
  const messages = Object.entries(document.components.messages).map(([key, message]) => {
    const path = paths.get(key);
    return [key, path === undefined ? message : { ...message, 'x-json-schema': path }] as const;
  });
  return { ...document, components: { ...document.components, messages: Object.fromEntries(messages) } };
}

/** Each whole by itself: what it refers to is in its `$defs`. */
export function frameSchemas(document: Messages): Record<string, object> {
  const entries = [...pathsOf(document)].map(([key, path]) => {
    const message = document.components.messages[key];
    const root = nameIn(message?.payload?.$ref);
    const { schemas } = document.components;
    const needed = [...reached(root, schemas)].filter((name) => name !== root).sort();
    const $defs = Object.fromEntries(needed.map((name) => [name, portable(schemas[name])]));
    return [
      path,
      {
        $schema: dialect,
        $id: path,
        title: message?.title,
        ...(portable(schemas[root]) as object),
        ...(needed.length > 0 ? { $defs } : {}),
      },
    ] as const;
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const nameIn = (ref: unknown) => (typeof ref === 'string' && ref.startsWith(prefix) ? ref.slice(prefix.length) : '');

/** The names of the schemas that are needed for this one, itself among them. */
function reached(name: string, schemas: Record<string, object>, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  JSON.stringify(schemas[name], (key, value: unknown) => {
    if (key === '$ref' && nameIn(value) !== '') reached(nameIn(value), schemas, found);
    return value;
  });
  return found;
}

/**
 * As any validator takes it. A strict one refuses keywords and formats that it was not told of; the service itself asserts no format of a frame, since a
 * robot's clock and a vendor's habits are data.
 */
function portable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(portable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, each]) => !key.startsWith('x-') && !isFormat(key, each));
  return Object.fromEntries(
    entries.map(([key, each]) => [
      key,
      key === '$ref' ? `#/$defs/${nameIn(each)}` : key === 'examples' ? each : portable(each),
    ]),
  );
}

/** A property of that name has a schema, not a text. */
const isFormat = (key: string, value: unknown) => key === 'format' && typeof value === 'string';
