import { createConnection, isIP } from 'node:net';
import ros1 from '@foxglove/ros1';
import type { RosNode } from '@foxglove/ros1';
import xmlRpc from '@foxglove/xmlrpc/nodejs';
import { PublisherSocket } from './ros1-socket.ts';
import { answered } from './source.ts';

export interface Ros1NodeSettings {
  master: { host: string; port: number };
  /** With its slash; the same at each start of this agent, so that a new one takes the place of one that was killed. */
  name: string;
  /** `ROS_HOSTNAME` or `ROS_IP`: by what publishers and the master reach this machine. Default: its address towards the master. */
  hostname?: string | undefined;
  filter: ConstructorParameters<typeof PublisherSocket>[1];
}

const connectWithinMs = 3_000;

/** Starts a node, which is in the graph once it subscribes. @throws Error where no master answers */
export async function startNode({ master, name, hostname, filter }: Ros1NodeSettings): Promise<RosNode> {
  const own = await addressTowards(master);
  const reached = hostname ?? own;
  const httpServer = new xmlRpc.HttpServerNodejs();
  // What the master and its nodes call; where those are on this machine, nobody else needs to reach it.
  const listen = httpServer.listen.bind(httpServer);
  if (isLoopback(reached)) httpServer.listen = (port, _host, backlog) => listen(port, reached, backlog);
  const node = new ros1.RosNode({
    name,
    hostname: inUrl(reached),
    pid: process.pid,
    rosMasterUri: `http://${inUrl(master.host)}:${master.port}/`,
    httpServer,
    tcpSocketCreate: async (address) => new PublisherSocket(address, filter),
  });
  await node.start();
  await answered(forgetFormer(node), `the ROS master at ${master.host}:${master.port}`).catch((error: unknown) => {
    node.shutdown();
    throw error;
  });
  return node;
}

/** Takes back what a former run of this agent, which was killed, left in the master; and tries whether what answers is one. */
async function forgetFormer(node: RosNode): Promise<void> {
  const left = await topicsOf(node);
  if (left.length === 0) return;
  const [, , api] = await node.rosMasterClient.lookupNode(node.name, node.name);
  for (const topic of left) await node.rosMasterClient.unregisterSubscriber(node.name, topic, api as string);
}

/** What this node's name subscribes to, as the master has it. */
async function topicsOf(node: RosNode): Promise<string[]> {
  const { subscribers } = await node.getSystemState();
  return [...subscribers].flatMap(([topic, nodes]) => (nodes.has(node.name) ? [topic] : []));
}

/**
 * Leaves the graph, and waits until the master knows. Of a topic that was left just before the library tells it without waiting: whether that
 * has arrived only the master can say.
 */
export async function stopNode(node: RosNode): Promise<void> {
  const api = node.rosFollower.url();
  if (api !== undefined) {
    const unregister = (topic: string) => node.rosMasterClient.unregisterSubscriber(node.name, topic, api);
    await Promise.allSettled([...node.subscriptions.keys()].map(unregister));
    await Promise.allSettled((await topicsOf(node).catch(() => [])).map(unregister));
  }
  node.shutdown();
}

/** The address of this machine on the way to the master. @throws Error where nothing listens there */
async function addressTowards({ host, port }: { host: string; port: number }): Promise<string> {
  const socket = createConnection({ host, port });
  try {
    const opened = new Promise<string>((resolve, reject) => {
      socket.once('connect', () => resolve(socket.localAddress ?? '127.0.0.1'));
      socket.once('error', (error) => reject(new Error(`no ROS master at ${host}:${port}: ${error.message}`)));
    });
    return await answered(opened, `the ROS master at ${host}:${port}`, connectWithinMs);
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

const inUrl = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);
const isLoopback = (address: string) => address === '::1' || address.startsWith('127.');
