import { WebSocket } from 'ws';
import { linkedAgent, refusalOf, type Closed, type FakeAgent } from './fake-agent.ts';

/** One end of a stream: received data, in order, and how it ended. */
export interface Stream extends Disposable {
  socket: WebSocket;
  frames: (string | Buffer)[]; // text frames as text
  /** The bytes of all binary frames. */
  bytes(): Buffer;
  /** Their number without joining them, for polling. */
  byteCount(): number;
  closed: Promise<Closed>;
  headers: Record<string, string | string[] | undefined>; // of the upgrade
}

/** Opens a WebSocket of a stream. @throws UpgradeRefused */
export async function openStream(
  address: string,
  options: { token?: string; protocol?: string; headers?: Record<string, string>; paused?: boolean } = {},
): Promise<Stream> {
  const { token, protocol, headers = {}, paused = false } = options;
  const socket = new WebSocket(address.replace(/^http/, 'ws'), protocol === undefined ? [] : [protocol], {
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    perMessageDeflate: false,
  });
  const frames: (string | Buffer)[] = [];
  let byteCount = 0;
  socket.on('message', (data: Buffer, isBinary) => {
    frames.push(isBinary ? data : data.toString());
    if (isBinary) byteCount += data.length;
  });
  const closed = new Promise<Closed>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  let answered: Stream['headers'] = {};
  socket.on('upgrade', (response) => (answered = response.headers));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      if (paused) socket.pause();
      resolve();
    });
    socket.once('unexpected-response', (_request, response) => {
      void refusalOf(response).then((refused) => {
        reject(refused);
        socket.terminate();
      });
    });
    socket.on('error', reject);
  });
  return {
    socket,
    frames,
    bytes: () => Buffer.concat(frames.filter((frame) => typeof frame !== 'string')),
    byteCount: () => byteCount,
    closed,
    headers: answered,
    [Symbol.dispose]: () => socket.terminate(),
  };
}

export interface OpenFrame {
  session_id: string;
  kind: string;
  path: string;
  secret: string;
  expires_at: string;
  protocol?: string;
  opened_by: string;
  parameters: Record<string, unknown>;
}

/** A robot whose agent advertises shells. */
export const shellAgent = (
  url: string,
  token: string,
  options: Parameters<typeof linkedAgent>[2] = {},
): Promise<FakeAgent> => linkedAgent(url, token, { ...options, hello: { capabilities: { shell: true } } });

/** The agent's next request to open a stream. */
export const nextOpen = async (agent: FakeAgent): Promise<OpenFrame> =>
  (await agent.next('open')) as unknown as OpenFrame;

/** Dials back for the agent's request. */
export const dialBack = (
  url: string,
  { path, secret }: OpenFrame,
  options: { paused?: boolean } = {},
): Promise<Stream> => openStream(`${url}${path}`, { token: secret, ...options });

export const shellOf = (url: string, robotId: string, query = ''): string =>
  `${url}/api/robots/${robotId}/shell/ws${query}`;

/** A shell with the viewer's end and the robot's, connected. */
export async function openShell(
  url: string,
  agent: FakeAgent,
  robotId: string,
  token: string,
  options: { protocol?: string; query?: string; agentUrl?: string; headers?: Record<string, string> } = {},
): Promise<{ viewer: Stream; robot: Stream; open: OpenFrame } & Disposable> {
  const { query, agentUrl = url, ...rest } = options;
  const viewer = await openStream(shellOf(url, robotId, query), { token, ...rest });
  const open = await nextOpen(agent);
  const robot = await dialBack(agentUrl, open);
  return {
    viewer,
    robot,
    open,
    [Symbol.dispose]() {
      viewer.socket.terminate();
      robot.socket.terminate();
    },
  };
}
