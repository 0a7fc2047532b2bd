import { html, type Html } from '../html.ts';
import { plainDocument } from './docs-page.ts';
import { inline, markdown } from './markdown.ts';

interface Reference {
  $ref: string;
}

/** As much of /asyncapi.json as a person reads. */
export interface AsyncDocument {
  info: { description: string };
  channels: Record<string, Channel>;
  operations: Record<string, Operation>;
  components: {
    messages: Record<string, Message>;
    securitySchemes: Record<string, { description?: string }>;
  };
}
interface Channel {
  address: string;
  title: string;
  description: string;
  bindings: { ws: { method: string; query?: Fields; headers?: Fields } };
}
interface Operation {
  action: string;
  summary: string;
  channel: Reference;
  messages: Reference[];
  security?: Reference[];
}
interface Message {
  name: string;
  title: string;
  summary?: string;
  'x-json-schema'?: string;
}
interface Fields {
  properties?: Record<string, Field>;
  required?: string[];
}
interface Field {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  items?: Field;
  description?: string;
}
/** A JSON Schema as it is served under /schemas. */
interface FrameSchema extends Fields {
  description?: string;
  examples?: unknown[];
}

const lastOf = ({ $ref }: Reference) => $ref.slice($ref.lastIndexOf('/') + 1);

function kindOf({ $ref, type, const: value, enum: values, items }: Field): string {
  if (value !== undefined) return JSON.stringify(value);
  if (values) return values.map((one) => JSON.stringify(one)).join(' or ');
  if ($ref !== undefined) return lastOf({ $ref });
  if (items) return `array of ${kindOf(items)}`;
  return [type ?? 'anything'].flat().join(' or ');
}

function fieldTable(title: string, { properties = {}, required = [] }: Fields): Html {
  return html`<div class="wide prose" role="region" aria-label="${title}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(properties).map(
          ([name, field]) =>
            html`<tr>
              <th scope="row"><code>${name}</code>${required.includes(name) ? ', required' : ''}</th>
              <td>${kindOf(field)}</td>
              <td>${inline(field.description ?? '')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** `/docs/streams`: the WebSockets, a section for each channel and each frame. Made of the documents that programs read. */
export function streamsPage(document: AsyncDocument, schemas: Readonly<Record<string, FrameSchema>>): string {
  const { messages, securitySchemes } = document.components;

  const frameLink = (reference: Reference) => {
    const name = lastOf(reference);
    return html`<li><a href="#frame-${name}">${messages[name]?.title ?? name}</a></li>`;
  };

  const side = ({ action, summary, messages: frames, security = [] }: Operation) =>
    html`<h3>${action === 'receive' ? 'To the service' : 'From the service'}</h3>
      <p>${inline(summary)}</p>
      ${security.map((reference) => html`<p>Token: ${inline(securitySchemes[lastOf(reference)]?.description ?? '')}</p>`)}
      <ul class="on-page">
        ${frames.map(frameLink)}
      </ul>`;

  const channel = ([name, { address, title, description, bindings }]: [string, Channel]) =>
    html`<section>
      <h2 id="${name}"><a href="#${name}">${title}</a></h2>
      <pre><code>GET ${address}</code></pre>
      ${markdown(description)} ${bindings.ws.query && fieldTable(`Query of ${title}`, bindings.ws.query)}
      ${bindings.ws.headers && fieldTable(`Headers of ${title}`, bindings.ws.headers)}
      ${Object.values(document.operations)
        .filter((operation) => lastOf(operation.channel) === name)
        .map(side)}
    </section>`;

  const frame = ([name, { title, summary, 'x-json-schema': path }]: [string, Message]) => {
    const schema = path === undefined ? undefined : schemas[path];
    return html`<section>
      <h3 id="frame-${name}"><a href="#frame-${name}">${title}</a></h3>
      ${summary === undefined ? undefined : markdown(summary)}
      ${
        schema &&
        html`${markdown(schema.description ?? '')} ${fieldTable(`Fields of ${title}`, schema)}
          <p><a href="${path}">JSON Schema</a></p>
          ${(schema.examples ?? []).map((example) => html`<pre><code>${JSON.stringify(example)}</code></pre>`)}`
      }
    </section>`;
  };

  return plainDocument(
    'Streams',
    '/docs/streams',
    html`<ul class="on-page">
        ${Object.entries(document.channels).map(([name, { title }]) => html`<li><a href="#${name}">${title}</a></li>`)}
        <li><a href="#frames">Frames</a></li>
        <li><a href="#rules">Rules, close codes and limits</a></li>
      </ul>
      ${Object.entries(document.channels).map(channel)}
      <h2 id="frames"><a href="#frames">Frames</a></h2>
      ${Object.entries(messages).map(frame)}
      <h2 id="rules"><a href="#rules">Rules, close codes and limits</a></h2>
      ${markdown(document.info.description)}`,
  );
}
