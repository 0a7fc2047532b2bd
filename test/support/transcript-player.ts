import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ServerFrame } from '../../generated/frames.js';
import type { Act, Step, Transcript } from './transcripts.ts';

export interface PlayerSettings {
  /** `http://host:port` of the service. */
  url: string;
  robotToken: string;
  /** Does what an operator does. */
  act(act: Act): Promise<void>;
}

/** The agent's end of a link; what comes is kept until it is asked for. */
interface PlayedLink {
  send(text: string): void;
  close(code: number): void;
  /** The next frame, or the code with which the other side closed. */
  next(): Promise<ServerFrame | number>;
}

/** What differs from run to run, and stands in a transcript as an example of its kind. */
const varying: readonly string[] = [
  'server_time',
  'robot_id',
  'robot_name',
  'within_ms',
  'sequence',
  'id',
  'path',
  'secret',
  'expires_at',
  'opened_by',
];
/** Those that the agent repeats: it says what came in the place of the golden one. */
const repeated: readonly string[] = ['order_id', 'hash', 'deployments', 'digest', 'session_id'];
const withinMs = 10_000;

/**
 * Plays the agent's side of a transcript against a service, and throws where the service does or says something else than it did then.
 * New fields of the service are allowed: agents ignore what they do not know.
 */
export async function playTranscript({ name, steps }: Transcript, settings: PlayerSettings): Promise<void> {
  const links = new Map<string, PlayedLink>();
  const said = new Map<string, string>(); // golden texts, and what came in their place
  for (const [index, step] of steps.entries()) {
    await playStep(step, links, said, settings).catch((error: unknown) => {
      throw new Error(`${name}, line ${index + 1}, ${JSON.stringify(step)}: ${(error as Error).message}`, {
        cause: error,
      });
    });
  }
}

async function playStep(
  step: Step,
  links: Map<string, PlayedLink>,
  said: Map<string, string>,
  settings: PlayerSettings,
): Promise<void> {
  if (step.from === 'operator') return settings.act(step);
  if ('open' in step) return void links.set(step.link, await openLink(settings));
  const link = links.get(step.link);
  if (!link) throw new Error('the link was not opened');
  if (step.from === 'agent') {
    if ('close' in step) return link.close(step.close);
    return link.send(
      'text' in step
        ? step.text
        : JSON.stringify(step.frame, (_key, value: unknown) => said.get(String(value)) ?? value),
    );
  }
  const came = await link.next();
  if ('close' in step) {
    if (came !== step.close) throw new Error(`got ${JSON.stringify(came)}`);
  } else if (typeof came === 'number' || !agrees(step.frame, came, said))
    throw new Error(`got ${JSON.stringify(came)}`);
}

async function openLink({ url, robotToken }: PlayerSettings): Promise<PlayedLink> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/agent/ws`, {
    headers: { Authorization: `Bearer ${robotToken}` },
    perMessageDeflate: false,
  });
  const came: (ServerFrame | number)[] = [];
  let wake: () => void = () => undefined;
  const put = (what: ServerFrame | number) => {
    came.push(what);
    wake();
  };
  socket.on('message', (data: Buffer) => put(JSON.parse(data.toString('utf8')) as ServerFrame));
  socket.on('close', put);
  await once(socket, 'open');
  return {
    send: (text) => socket.send(text),
    close: (code) => socket.close(code),
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`nothing came within ${withinMs} ms`)), withinMs);
        wake = () => {
          const first = came.shift();
          if (first === undefined) return;
          clearTimeout(timer);
          wake = () => undefined;
          resolve(first);
        };
        wake();
      }),
  };
}

/**
 * Every field of the golden value is there, with the same value unless it is one that varies: then with one of its type. A list has the same length.
 */
function agrees(golden: unknown, came: unknown, said: Map<string, string>, name = ''): boolean {
  if (Array.isArray(golden))
    return (
      Array.isArray(came) &&
      came.length === golden.length &&
      golden.every((each, index) => agrees(each, came[index], said, name))
    );
  if (typeof golden === 'object' && golden !== null) {
    if (typeof came !== 'object' || came === null) return false;
    const fields = came as Record<string, unknown>;
    return Object.entries(golden).every(([key, value]) => agrees(value, fields[key], said, key));
  }
  if (repeated.includes(name) && typeof golden === 'string' && typeof came === 'string') {
    if (!said.has(golden)) said.set(golden, came);
    return said.get(golden) === came;
  }
  // A JSON text, in which the id of a release varies.
  if (name === 'payload' && typeof came === 'string') return agrees(JSON.parse(String(golden)), JSON.parse(came), said);
  return varying.includes(name) ? typeof came === typeof golden : came === golden;
}
