import { WebSocket } from 'ws';

/** What a process that plays a camera and all who look at it can be told to do. */
export type CameraJob =
  /** A camera of our service: links the robot's agent and opens so many viewers. */
  | { kind: 'robot'; url: string; robotId: string; robotToken: string; userToken: string; viewers: number }
  /** The same of a server that takes a camera at `/camera` and viewers at `/viewer`. */
  | { kind: 'bare'; url: string; viewers: number }
  /** One more who never reads. */
  | { kind: 'stoppedViewer' }
  | { kind: 'send'; bytes: number; perSecond: number; seconds: number };

/** Pictures that reached a viewer since the last job. */
export interface CameraResult {
  delivered: number;
}

const opened = (url: string, path: string, token: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    });
    socket.once('open', () => resolve(socket)).once('error', reject);
  });

/** Beginning and end of a JPEG, and noise between them: nobody on the way looks into it. */
function pictureOf(bytes: number): Buffer {
  const picture = Buffer.alloc(bytes, 'picture');
  picture.writeUInt16BE(0xffd8, 0);
  picture.writeUInt16BE(0xffd9, bytes - 2);
  return picture;
}

export function cameraPlayer(): (job: CameraJob) => Promise<CameraResult> {
  let camera: WebSocket | undefined;
  let openViewer: () => Promise<WebSocket> = () => Promise.reject(new Error('no camera yet'));
  let delivered = 0;

  async function openViewers(count: number): Promise<void> {
    const sockets = await Promise.all(Array.from({ length: count }, () => openViewer()));
    for (const socket of sockets) socket.on('message', () => (delivered += 1));
  }

  async function link({ url, robotId, robotToken, userToken, viewers }: Extract<CameraJob, { kind: 'robot' }>) {
    const socket = await opened(url, '/agent/ws', robotToken);
    const capabilities = { cameras: ['front'] };
    socket.send(JSON.stringify({ type: 'hello', protocol: 1, agent_version: 'bench/1', boot_id: 'b', capabilities }));
    const welcome = new Promise<void>((resolve) => socket.once('message', () => resolve()));
    const dialled = new Promise<WebSocket>((resolve) =>
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as { type: string; path: string; secret: string };
        if (frame.type === 'open') void opened(url, frame.path, frame.secret).then(resolve);
      }),
    );
    await welcome;
    openViewer = () => opened(url, `/api/robots/${robotId}/camera/ws`, userToken);
    await openViewers(viewers);
    camera = await dialled;
  }

  async function send(bytes: number, perSecond: number, seconds: number): Promise<void> {
    const picture = pictureOf(bytes);
    const startedAt = performance.now();
    for (let count = 0; count < perSecond * seconds; count += 1) {
      const waitMs = startedAt + (count * 1_000) / perSecond - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      camera?.send(picture);
    }
    await new Promise((resolve) => setTimeout(resolve, 300)); // what is on its way
  }

  return async (job) => {
    delivered = 0;
    if (job.kind === 'robot') await link(job);
    else if (job.kind === 'bare') {
      camera = await opened(job.url, '/camera', 'none');
      openViewer = () => opened(job.url, '/viewer', 'none');
      await openViewers(job.viewers);
    } else if (job.kind === 'stoppedViewer') (await openViewer()).pause();
    else await send(job.bytes, job.perSecond, job.seconds);
    return { delivered };
  };
}
