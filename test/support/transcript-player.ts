import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { StreamStep, Transcript } from './transcripts.ts';
import { patienceMs } from './until.ts';

type Act = Extract<StreamStep, { from: 'operator' }>;
type Said = Exclude<StreamStep, Act | { open: true | string } | { text: string }>;

export interface PlayerSettings<A> {
  /** `http://host:port` of the service. */
  url: string;
  robotToken: string;
  /** The token of viewers. */
  viewerToken?: string;
  /** Performs an operator's action. */
  act(act: A): Promise<void>;
}

/** Data from the service: a text, bytes, or the close. */
type Came = string | Buffer | { code: number; reason: string };

/** The peer's end of a socket to the service; received data is kept until it is read. */
interface PlayedLink {
  send(data: string | Buffer): void;
  close(code: number, reason: string | undefined): void;
  next(): Promise<Came>;
}

/** Fields that differ from run to run; a transcript has an example value. */
const varying: readonly string[] = [
  'server_time',
  'robot_name',
  'within_ms',
  'sequence',
  'id',
  'expires_at',
  'opened_by',
  'received_at',
];
/** Fields that are echoed: the agent and viewers send the received value instead of the golden one. */
const repeated: readonly string[] = [
  ...['order_id', 'hash', 'deployments', 'digest', 'session_id', 'robot_id', 'path', 'secret'],
];

/**
 * Plays all sides of a transcript except the service's, and throws if the service's behaviour differs from it. New
 * fields of the service are allowed: agents and viewers ignore unknown ones.
 */
export async function playTranscript<S extends StreamStep>(
  { name, steps }: Transcript<S>,
  settings: PlayerSettings<Extract<S, { from: 'operator' }>>,
): Promise<void> {
  const links = new Map<string, PlayedLink>();
  const said = new Map<string, string>(); // golden texts, and the values received for them
  for (const [index, step] of steps.entries()) {
    // The settings' acts match those of the steps.
    await playStep(step, links, said, settings as PlayerSettings<Act>).catch((error: unknown) => {
      throw new Error(`${name}, line ${index + 1}, ${JSON.stringify(step)}: ${(error as Error).message}`, {
        cause: error,
      });
    });
  }
}

async function playStep(
  step: StreamStep,
  links: Map<string, PlayedLink>,
  said: Map<string, string>,
  settings: PlayerSettings<Act>,
): Promise<void> {
  if (step.from === 'operator') return settings.act(step);
  if ('open' in step) return void links.set(step.link, await openLink(step, said, settings));
  const link = links.get(step.link);
  if (!link) throw new Error('the link was not opened');
  if (step.from === 'server' && !('text' in step)) {
    const came = await link.next();
    if (!isSame(step, came, said)) throw new Error(`got ${typeof came === 'string' ? came : JSON.stringify(came)}`);
  } else if ('close' in step) link.close(step.close, 'reason' in step ? step.reason : undefined);
  else if ('text' in step) link.send(step.text);
  else if ('frame' in step)
    link.send(JSON.stringify(step.frame, (_key, value: unknown) => said.get(String(value)) ?? value));
  else link.send(bytesOf(step));
}

const bytesOf = (step: { bytes: string } | { base64: string }) =>
  'bytes' in step ? Buffer.from(step.bytes) : Buffer.from(step.base64, 'base64');

function isSame(step: Said, came: Came, said: Map<string, string>): boolean {
  if ('close' in step) {
    const reason = 'reason' in step ? step.reason : undefined;
    return (
      typeof came === 'object' &&
      'code' in came &&
      came.code === step.close &&
      (reason === undefined || came.reason === reason)
    );
  }
  if ('frame' in step) return typeof came === 'string' && agrees(step.frame, JSON.parse(came), said);
  return Buffer.isBuffer(came) && came.equals(bytesOf(step));
}

type Open = Extract<StreamStep, { open: true | string }>;

async function openLink(step: Open, said: Map<string, string>, settings: PlayerSettings<Act>): Promise<PlayedLink> {
  const { url, robotToken, viewerToken } = settings;
  const golden = step.open === true ? '/agent/ws' : step.open;
  // The whole path as the agent received it, or one with the robot's id replaced.
  const path = said.get(golden) ?? [...said].reduce((text, pair) => text.replaceAll(...pair), golden);
  const token = 'bearer' in step ? said.get(step.bearer) : step.from === 'viewer' ? viewerToken : robotToken;
  const protocol = 'protocol' in step ? step.protocol : undefined;
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, protocol === undefined ? [] : [protocol], {
    headers: { Authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const came: Came[] = [];
  let wake: () => void = () => undefined;
  const put = (what: Came) => {
    came.push(what);
    wake();
  };
  socket.on('message', (data: Buffer, isBinary) => put(isBinary ? data : data.toString('utf8')));
  socket.on('close', (code, reason) => put({ code, reason: reason.toString() }));
  await once(socket, 'open');
  return {
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`nothing came within ${patienceMs} ms`)), patienceMs);
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
 * Every field of the golden value is present, with the same value, or for a varying one with the same type. A list has
 * the same length.
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
