import { dialBack, nextOpen, openStream, type OpenFrame, type Stream } from './dial-back.ts';
import { linkedAgent, type FakeAgent } from './fake-agent.ts';
import { robotsOf, type Identity } from './robots.ts';
import type { World } from './world.ts';

/** A fake picture: from the first JPEG marker to the last, with a text in it. */
export const picture = (text: string, bytes = 200): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    Buffer.from(text.padEnd(Math.max(text.length, bytes - 4), ' ')),
    Buffer.from([0xff, 0xd9]),
  ]);

export const textOf = (frame: string | Buffer | undefined): string | undefined =>
  typeof frame === 'string' ? frame : frame?.subarray(2, -2).toString().trim();

export const record = (seq: number, msg: unknown = { data: 'hello' }): string =>
  JSON.stringify({ topic: '/chatter', type: 'std_msgs/String', seq, ts: new Date().toISOString(), msg });

export interface WatchRobot extends Disposable {
  id: string;
  identity: Identity;
  agent: FakeAgent;
  /** Requests to open a stream of this kind. */
  opens(kind?: string): OpenFrame[];
  /** Dials back for its next request. */
  come(url?: string): Promise<Stream & { open: OpenFrame }>;
}

/** A robot whose agent advertises two cameras and a ROS graph. */
export async function watchRobot(
  world: World,
  {
    url = world.url,
    identity,
    ...opens
  }: { url?: string; identity?: Identity; cameras?: string[]; topics?: boolean } = {},
): Promise<WatchRobot> {
  const robot = identity ?? (await robotsOf(world).enroll());
  const capabilities = { cameras: ['front', 'arm'], topics: true, ...opens };
  const agent = await linkedAgent(url, robot.robot_token, { hello: { capabilities } });
  return {
    id: robot.robot_id,
    identity: robot,
    agent,
    opens: (kind) =>
      agent.frames.filter(
        (frame) => frame['type'] === 'open' && (kind === undefined || frame['kind'] === kind),
      ) as unknown[] as OpenFrame[],
    async come(at = url) {
      const open = await nextOpen(agent);
      return Object.assign(await dialBack(at, open), { open });
    },
    [Symbol.dispose]: () => agent.socket.terminate(),
  };
}

export const cameraOf = (url: string, robotId: string, query = ''): string =>
  `${url}/api/robots/${robotId}/camera/ws${query}`;

export const topicOf = (url: string, robotId: string, query = '?topic=/chatter'): string =>
  `${url}/api/robots/${robotId}/ros/topics/echo${query}`;

/** A viewer of a camera, with the org's token. */
export const look = (world: World, robotId: string, query = '', url = world.url): Promise<Stream> =>
  openStream(cameraOf(url, robotId, query), { token: world.orgToken });

/** The same for a topic. */
export const echo = (world: World, robotId: string, query?: string, url = world.url): Promise<Stream> =>
  openStream(topicOf(url, robotId, query), { token: world.orgToken });

/**
 * Links the robot with an agent that reports an empty list of topics on each request; returns the robot's id. It ends
 * with the world.
 */
export async function answerTopics(world: World, identity: Identity): Promise<string> {
  const { agent, id } = await watchRobot(world, { identity });
  agent.socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as OpenFrame & { type: string };
    if (frame.type !== 'open' || frame.kind !== 'topics') return;
    void dialBack(world.url, frame).then(({ socket }) => socket.send('{"topics":[],"nodes":[]}'));
  });
  return id;
}
