import { html, type Html } from '../../platform/http/html.ts';
import { inline } from './markdown.ts';

/** A golden transcript, as in /asyncapi.json: the frames on each socket, in order. */
export interface Transcript {
  title: string;
  channels: readonly string[];
  steps: readonly Step[];
}
interface Step {
  link?: string | undefined; // undefined if an operator acts outside the sockets
  from: string;
  open?: boolean | string | undefined;
  bearer?: string | undefined;
  protocol?: string | undefined;
  frame?: object | undefined;
  text?: string | undefined;
  bytes?: string | undefined;
  base64?: string | undefined;
  close?: number | undefined;
  reason?: string | undefined;
}

const names: Record<string, string> = { server: 'service' };
const code = (value: unknown) => html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;

function tokenOf({ from, bearer }: Step): Html {
  if (bearer !== undefined) return html`<code>Authorization: Bearer ${bearer}</code>`;
  return html`the token ${from === 'viewer' ? 'or ticket of the viewer' : 'of the robot'}`;
}

/** A step in words, with the data sent over the wire. */
function stepContent(step: Step): Html {
  const { open, protocol, frame, text, bytes, base64, close, reason } = step;
  if (open !== undefined)
    return html`opens ${code(`GET ${open === true ? '/agent/ws' : open}`)} with
    ${tokenOf(step)}${protocol === undefined ? undefined : html`, subprotocol ${code(protocol)}`}`;
  if (frame) return code(frame);
  if (text !== undefined) return html`text ${code(text)}`;
  if (bytes !== undefined) return html`binary ${code(JSON.stringify(bytes))}`;
  if (base64 !== undefined) return html`binary, a JPEG of ${Buffer.from(base64, 'base64').length} bytes`;
  if (close !== undefined)
    return html`closes with ${code(String(close))}${reason === undefined ? undefined : html` ${code(reason)}`}`;
  const acts = Object.entries(step).filter(([name]) => name !== 'from');
  return html`${acts.map(([name, value]) => html`${name.replaceAll('_', ' ')} ${value === true ? undefined : code(value)}`)}`;
}

/**
 * One exchange, from its first socket to the end. Only the first of a channel is expanded, as there are many. A link to
 * its content expands it.
 */
export function exchange(name: string, { title, steps }: Transcript, isOpen: boolean): Html {
  const links = new Set(steps.flatMap(({ link }) => link ?? []));
  const row = (step: Step) =>
    html`<tr>
      <td>${names[step.from] ?? step.from}</td>
      ${links.size > 1 ? html`<td>${step.link}</td>` : undefined}
      <td>${stepContent(step)}</td>
    </tr>`;
  const body = html`<summary>${inline(title)}</summary>
    <div class="wide prose" id="transcript-${name}" role="region" aria-label="${title}" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            ${links.size > 1 ? html`<th scope="col">Socket</th>` : undefined}
            <th scope="col">Action or frame</th>
          </tr>
        </thead>
        <tbody>
          ${steps.map(row)}
        </tbody>
      </table>
    </div>`;
  return isOpen
    ? html`<details class="exchange" open>${body}</details>`
    : html`<details class="exchange">${body}</details>`;
}
