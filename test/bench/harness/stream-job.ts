import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';

/** What a process that plays one robot, and those who only watch it, can be told to do. */
export type StreamJob =
  /** Links the robot's agent. A shell of 1 column floods, any other echoes. */
  | { kind: 'link'; url: string; token: string }
  /** Opens a shell that floods and reads nothing of it. */
  | { kind: 'stoppedShell'; url: string; robotId: string; token: string }
  /** Sends log records as fast as they are acknowledged, to a reader here. */
  | { kind: 'logs'; url: string; robotId: string; token: string }
  /** Sends pictures as often as a camera may, to a reader here and to one who reads nothing. */
  | { kind: 'camera'; url: string; robotId: string; token: string }
  /** Ends the shell, the logs and the camera. */
  | { kind: 'quiet' };

/** What reached its reader since the last job. */
export interface StreamResult {
  records: number;
  pictures: number;
}

const recordsPerFrame = 200;
const framesUnderway = 2;
const floodingColumns = 1;
const message = 'x'.repeat(200);
const pictureBytes = 100_000;
const picturesPerSecond = 100;
const picture = Buffer.alloc(pictureBytes, 'x');
picture.writeUInt16BE(0xffd8, 0);
picture.writeUInt16BE(0xffd9, pictureBytes - 2);

const opened = (socket: WebSocket): Promise<WebSocket> =>
  new Promise((resolve, reject) => socket.once('open', () => resolve(socket)).once('error', reject));

const streamOf = (url: string, path: string, token: string): WebSocket =>
  new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });

interface Open {
  kind: string;
  path: string;
  secret: string;
  parameters: { cols: number };
}

/** A robot by hand: a link, and dial-backs without a terminal behind them. */
export function streamPlayer(): (job: StreamJob) => Promise<StreamResult> {
  const noise: WebSocket[] = [];
  let link: WebSocket | undefined;
  let isLogging = false;
  let seq = 0;
  let records = 0; // since the last job, as the next one
  let pictures = 0;

  async function dialBack(url: string, open: Open) {
    const socket = streamOf(url, open.path, open.secret);
    if (open.kind === 'camera') {
      await opened(socket);
      socket.on('error', () => undefined);
      const timer = setInterval(
        () => socket.bufferedAmount < 2 * pictureBytes && socket.send(picture),
        1_000 / picturesPerSecond,
      );
      socket.on('close', () => clearInterval(timer));
      return;
    }
    // What was typed before comes with the answer to the upgrade.
    if (open.parameters.cols !== floodingColumns) socket.on('message', (data: Buffer) => socket.send(data));
    await opened(socket);
    socket.on('error', () => undefined);
    if (open.parameters.cols !== floodingColumns) return;
    const piece = randomBytes(65_536);
    const more = () => {
      while (socket.readyState === socket.OPEN && socket.bufferedAmount < 1_048_576) socket.send(piece, onSent);
    };
    const onSent = () => {
      if (socket.bufferedAmount < 262_144) more();
    };
    more();
  }

  function sayMore(): void {
    const first = seq + 1;
    const ts = new Date().toISOString();
    const frame = Array.from({ length: recordsPerFrame }, () => ({
      seq: (seq += 1),
      ts,
      level: 'info',
      source: 'bench',
      message,
    }));
    link?.send(JSON.stringify({ type: 'logs', spool: 'bench', from_seq: first, to_seq: seq, records: frame }));
  }

  async function openLink(url: string, token: string): Promise<void> {
    const socket = await opened(streamOf(url, '/agent/ws', token));
    link = socket;
    const hello = {
      type: 'hello',
      protocol: 1,
      agent_version: 'bench/1',
      boot_id: 'bench',
      capabilities: { shell: true, cameras: ['front'] },
    };
    socket.send(JSON.stringify(hello));
    await new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as { type: string } & Open;
        if (frame.type === 'welcome') resolve();
        if (frame.type === 'open') void dialBack(url, frame);
        if (frame.type === 'logs_ack' && isLogging) sayMore();
      });
    });
  }

  async function watch(path: string, url: string, token: string): Promise<WebSocket> {
    const socket = await opened(streamOf(url, path, token));
    noise.push(socket);
    return socket;
  }

  return async (job) => {
    const result = { records, pictures };
    [records, pictures] = [0, 0];
    if (job.kind === 'link') await openLink(job.url, job.token);
    else if (job.kind === 'stoppedShell')
      (await watch(`/api/robots/${job.robotId}/shell/ws?cols=${floodingColumns}`, job.url, job.token)).pause();
    else if (job.kind === 'camera') {
      const path = `/api/robots/${job.robotId}/camera/ws`;
      (await watch(path, job.url, job.token)).pause();
      (await watch(path, job.url, job.token)).on('message', () => (pictures += 1));
    } else if (job.kind === 'logs') {
      const reader = await watch(`/api/robots/${job.robotId}/logs/ws`, job.url, job.token);
      reader.on('message', () => (records += 1));
      isLogging = true;
      for (let count = 0; count < framesUnderway; count += 1) sayMore();
    } else {
      isLogging = false;
      for (const socket of noise.splice(0)) socket.terminate();
    }
    return result;
  };
}
