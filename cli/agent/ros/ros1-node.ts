import { createConnection, isIP } from 'node:net';
import ros1 from '@foxglove/ros1';
import type { RosNode } from '@foxglove/ros1';
import xmlRpc from '@foxglove/xmlrpc/nodejs';
import { PublisherSocket } from './ros1-socket.ts';
import { answered } from './source.ts';

export interface Ros1NodeSettings {
  master: { host: string; port: number };
  /**
   * With the leading slash. It is the same at each start of this agent, so that a new node replaces one that was
   * killed.
   */
  name: string;
  /**
   * `ROS_HOSTNAME` or `ROS_IP`: where publishers and the master reach this machine. Default: its address towards the
   * master.
   */
  hostname?: string | undefined;
  filter: ConstructorParameters<typeof PublisherSocket>[1];
}

const connectWithinMs = 3_000;

/** Starts a node, which joins the graph once it subscribes. @throws Error when no master responds */
export async function startNode({ master, name, hostname, filter }: Ros1NodeSettings): Promise<RosNode> {
  const own = await addressTowards(master);
  const reached = hostname ?? own;
  const httpServer = new xmlRpc.HttpServerNodejs();
  // The master and its nodes call this server. If they run on this machine, no other machine needs to reach it.
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

/** Unregisters what a previous, killed run of this agent left in the master. Fails if what responds is not a master. */
async function forgetFormer(node: RosNode): Promise<void> {
  const left = await topicsOf(node);
  if (left.length === 0) return;
  const [, , api] = await node.rosMasterClient.lookupNode(node.name, node.name);
  for (const topic of left) await node.rosMasterClient.unregisterSubscriber(node.name, topic, api as string);
}

/** The topics to which this node's name subscribes, according to the master. */
async function topicsOf(node: RosNode): Promise<string[]> {
  const { subscribers } = await node.getSystemState();
  return [...subscribers].flatMap(([topic, nodes]) => (nodes.has(node.name) ? [topic] : []));
}

/**
 * Leaves the graph, and waits until the master knows. When a topic was left just before, the library unregisters
 * without waiting. Only the master can say whether that arrived.
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

/** This machine's address on the way to the master. @throws Error when nothing listens there */
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
