import { html, type Html } from '../../platform/http/html.ts';
import { plainDocument } from './docs-page.ts';
import { exchange, type Transcript } from './exchanges.ts';
import { inline, markdown } from './markdown.ts';
import { fieldTable, kindOf, lastOf, table, type Schema } from './schema-fields.ts';

interface Reference {
  $ref: string;
}

/** The parts of /asyncapi.json that the page shows. */
export interface AsyncDocument {
  info: { description: string };
  channels: Record<string, Channel>;
  operations: Record<string, Operation>;
  components: {
    messages: Record<string, Message>;
    securitySchemes: Record<string, { description?: string }>;
  };
  'x-ticket-by-hand': { description: string; source: string };
  'x-transcripts': Record<string, Transcript>;
}
interface Channel {
  address: string;
  title: string;
  description: string;
  bindings: { ws: { method: string; query?: Schema; headers?: Schema } };
  'x-close-codes': readonly { code: number; from: string; when: string; then: string }[];
  'x-by-hand'?: readonly { label: string; source: string }[]; // undefined if not possible by hand
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
const closeTable = (title: string, codes: Channel['x-close-codes']): Html =>
  table(
    title,
    ['Code', 'Sent by', 'When', 'What to do'],
    codes.map(({ code, from, when, then }) => [String(code), from, inline(when), inline(then)]),
  );

const byHand = (id: string, lines: NonNullable<Channel['x-by-hand']>): Html =>
  html`<h3 id="${id}"><a href="#${id}">Connect by hand</a></h3>
    <p>For the variables and <code>ticket</code>, see <a href="#ticket">Get a ticket by hand</a>.</p>
    ${lines.map(
      ({ label, source }) =>
        html`<p>${inline(label)}:</p>
          <pre><code>${source.trim()}</code></pre>`,
    )}`;

/**
 * `/docs/streams`: the WebSockets, with a section for each channel and each frame. Generated from the documents that
 * programs read.
 */
export function streamsPage(document: AsyncDocument, schemas: Readonly<Record<string, Schema>>): string {
  const { messages, securitySchemes } = document.components;
  const named = Object.assign({}, ...Object.values(schemas).map(({ $defs }) => $defs)) as Record<string, Schema>;

  const frameLink = (reference: Reference) => {
    const name = lastOf(reference);
    return html`<li><a href="#frame-${name}">${messages[name]?.title ?? name}</a></li>`;
  };

  const side = ({ action, summary, messages: frames, security = [] }: Operation) =>
    html`<h3>${action === 'receive' ? 'Client to service' : 'Service to client'}</h3>
      <p>${inline(summary)}</p>
      ${security.map((reference) => html`<p>Token: ${inline(securitySchemes[lastOf(reference)]?.description ?? '')}</p>`)}
      <ul class="on-page">
        ${frames.map(frameLink)}
      </ul>`;

  /** The first channel of an exchange shows it in full. */
  const exchanges = (channel: string) => {
    const all = Object.entries(document['x-transcripts']).filter(([, { channels }]) => channels.includes(channel));
    const own = all.filter(([, { channels }]) => channels[0] === channel);
    const others = all.filter(([, { channels }]) => channels[0] !== channel);
    return html`<h3 id="${channel}-exchanges"><a href="#${channel}-exchanges">Exchanges</a></h3>
      ${own.map(([name, transcript], index) => exchange(name, transcript, index === 0))}
      ${
        others.length > 0
          ? html`<ul>
              ${others.map(([name, { title }]) => html`<li><a href="#transcript-${name}">${inline(title)}</a></li>`)}
            </ul>`
          : undefined
      }`;
  };

  const channel = ([name, about]: [string, Channel]) => {
    const { address, title, description, bindings, 'x-close-codes': codes, 'x-by-hand': lines } = about;
    return html`<section>
      <h2 id="${name}"><a href="#${name}">${title}</a></h2>
      <pre><code>GET ${address}</code></pre>
      ${markdown(description)} ${bindings.ws.query && fieldTable(`Query of ${title}`, bindings.ws.query)}
      ${bindings.ws.headers && fieldTable(`Headers of ${title}`, bindings.ws.headers)}
      ${Object.values(document.operations)
        .filter((operation) => lastOf(operation.channel) === name)
        .map(side)}
      ${exchanges(name)} ${lines && byHand(`${name}-by-hand`, lines)}
      <h3 id="${name}-close-codes"><a href="#${name}-close-codes">Close codes</a></h3>
      ${closeTable(`Close codes of ${title}`, codes)}
    </section>`;
  };

  const frame = ([name, { title, summary, 'x-json-schema': path }]: [string, Message]) => {
    const schema = path === undefined ? undefined : schemas[path];
    return html`<section>
      <h3 id="frame-${name}"><a href="#frame-${name}">${title}</a></h3>
      ${summary === undefined ? undefined : markdown(summary)}
      ${
        schema &&
        html`${markdown(schema.description ?? '')} ${fieldTable(`Fields of ${title}`, schema, named)}
          <p><a href="${path}">JSON Schema</a></p>
          ${(schema.examples ?? []).map((example) => html`<pre><code>${JSON.stringify(example)}</code></pre>`)}`
      }
    </section>`;
  };

  const namedSchema = ([name, schema]: [string, Schema]) => {
    const { description = '', examples = [] } = schema;
    return html`<section>
      <h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>
      ${markdown(description)} ${fieldTable(`Fields of ${name}`, schema, named) ?? html`<p>${kindOf(schema)}</p>`}
      ${examples.map((example) => html`<pre><code>${JSON.stringify(example)}</code></pre>`)}
    </section>`;
  };

  return plainDocument(
    'Streams',
    '/docs/streams',
    html`<ul class="on-page">
        ${Object.entries(document.channels).map(([name, { title }]) => html`<li><a href="#${name}">${title}</a></li>`)}
        <li><a href="#ticket">Get a ticket by hand</a></li>
        <li><a href="#frames">Frames</a></li>
        <li><a href="#schemas">Schemas</a></li>
        <li><a href="#rules">Rules, close codes and limits</a></li>
      </ul>
      <p>
        Each exchange is a reference transcript. Tests replay it against the service, whose responses stay the same in
        version 1 of the protocol. For programs, all transcripts are in <a href="/asyncapi.json">/asyncapi.json</a>,
        under <code>x-transcripts</code>. IDs, times and secrets are examples.
      </p>
      ${Object.entries(document.channels).map(channel)}
      <h2 id="ticket"><a href="#ticket">Get a ticket by hand</a></h2>
      ${markdown(document['x-ticket-by-hand'].description)}
      <pre><code>${document['x-ticket-by-hand'].source.trim()}</code></pre>
      <h2 id="frames"><a href="#frames">Frames</a></h2>
      ${Object.entries(messages).map(frame)}
      <h2 id="schemas"><a href="#schemas">Schemas</a></h2>
      ${Object.entries(named).map(namedSchema)}
      <h2 id="rules"><a href="#rules">Rules, close codes and limits</a></h2>
      ${markdown(document.info.description)}`,
  );
}
