import { createHash, randomUUID } from 'node:crypto';
import type { Order, OrderState } from '../../generated/frames.js';
import { startAgentServer, type AgentServer } from './agent-server.ts';

export const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

export interface Entry {
  namespace?: string;
  key: string;
  /** Exact JSON text. */
  value: string;
}

let sequence = 0;

/** An order as the service creates it from this payload. */
export function orderOf(lane: string, payload: string, changes: Partial<Order> = {}): Order {
  sequence += 1;
  const deployments = [randomUUID()];
  return { order_id: randomUUID(), lane, sequence, deployments, digest: sha256(payload), payload, ...changes };
}

export function configOrder(entries: readonly Entry[], changes: Partial<Order> = {}): Order {
  const texts = entries.map(
    ({ namespace = 'default', key, value }) =>
      `{"namespace":${JSON.stringify(namespace)},"key":${JSON.stringify(key)},"revision":1,"value":${value}}`,
  );
  return orderOf('config', `{"config":[${texts.join(',')}]}`, changes);
}

/** For an artifact of this content. */
export function releaseOrder(kind: string, artifact: string, changes: Partial<Order> = {}, tag = 'v1'): Order {
  const release = { id: randomUUID(), tag, kind, artifact_sha256: sha256(artifact), artifact_size: artifact.length };
  return orderOf(`release:${kind}`, JSON.stringify({ release }), changes);
}

export interface OrderServer extends AgentServer {
  /** The robot's orders; sent in full on each link and by `give`. An ended order is removed. */
  orders: Order[];
  /** Sends the current list on the newest link. */
  give(...more: Order[]): void;
  /** All reports about orders, in order, including those in hello. */
  reports: OrderState[];
  statusesOf(order: Order): string[];
  /** Its last report, once it has ended. */
  endOf(order: Order): Promise<OrderState>;
  acknowledgesReports: boolean;
  /** Payloads to fetch, by digest. */
  payloads: Map<string, string>;
}

const terminal = ['applied', 'failed', 'rolled_back', 'cancelled'];

/** The agent server, with one robot's orders. */
export async function startOrderServer(): Promise<OrderServer> {
  let hashes = 0;
  const server: OrderServer = Object.assign(await startAgentServer(), {
    orders: [] as Order[],
    reports: [] as OrderState[],
    acknowledgesReports: true,
    payloads: new Map<string, string>(),
    give(...more: Order[]) {
      server.orders.push(...more);
      hashes += 1;
      server.links.at(-1)?.send({ type: 'desired', hash: `hash-${hashes}`, items: server.orders });
    },
    statusesOf: ({ order_id: id }: Order) =>
      server.reports.filter(({ order_id }) => order_id === id).map(({ status }) => status),
    endOf: ({ order_id: id }: Order) =>
      server.until(() =>
        server.reports.findLast(({ order_id, status }) => order_id === id && terminal.includes(status)),
      ),
  });
  server.onFrame = (frame, link) => {
    const said = frame.type === 'hello' ? (frame.holding ?? []) : frame.type === 'report' ? [frame] : [];
    for (const state of said) {
      server.reports.push(state);
      const ended = terminal.includes(state.status);
      if (ended && server.acknowledgesReports)
        server.orders = server.orders.filter(({ order_id }) => order_id !== state.order_id);
      const { order_id, status } = state;
      if (server.acknowledgesReports) link.send({ type: 'report_ack', order_id, status, ended });
    }
    if (frame.type === 'hello') server.give();
  };
  server.answer = (request, response) => {
    const digest = request.url?.replace('/agent/payloads/', '') ?? '';
    const payload = server.payloads.get(digest);
    if (payload === undefined) return void response.writeHead(404).end('{"error":{"code":"not_found","message":"no"}}');
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ data: { digest, payload } }));
  };
  return server;
}
