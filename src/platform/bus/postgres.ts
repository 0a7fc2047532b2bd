import pg from 'pg';
import type { Logger } from 'pino';
import { connectionSettings, type Connection } from '../db/index.ts';
import type { Bus, Hint } from './bus.ts';

const channel = 'fleet_hints';
const pingMs = 4_000;
/** A connection without a reply for this long counts as dead, so a half-open connection is detected within 8 s. */
const pingTimeoutMs = 4_000;
/** Minimum time between the starts of two connections. A connection that lasted longer is replaced at once. */
const reconnectMs = 1_000;

function readHint(payload: string): Hint | undefined {
  try {
    const hint = JSON.parse(payload) as Partial<Hint> | null;
    if (typeof hint?.orgId !== 'string') return undefined;
    const { orgId } = hint;
    switch (hint.topic) {
      case 'access_changed':
      case 'conditions_changed':
      case 'redactions_changed':
      case 'deployment_due':
        return { topic: hint.topic, orgId };
      case 'orders_changed':
        return typeof hint.deploymentId === 'string'
          ? { topic: hint.topic, orgId, deploymentId: hint.deploymentId }
          : undefined;
      case 'logs_followed':
        return typeof hint.robotId === 'string' && typeof hint.replicaId === 'string'
          ? { topic: hint.topic, orgId, robotId: hint.robotId, replicaId: hint.replicaId }
          : undefined;
      case 'rotation_wanted':
        return typeof hint.robotId === 'string'
          ? { topic: hint.topic, orgId, robotId: hint.robotId, wantedAtMs: hint.wantedAtMs ?? 0 }
          : undefined;
      case 'logs_stored':
      case 'robot_changed':
      case 'robot_removed':
        return typeof hint.robotId === 'string' ? { topic: hint.topic, orgId, robotId: hint.robotId } : undefined;
      case 'link_changed':
        return typeof hint.robotId === 'string' && typeof hint.epoch === 'number'
          ? { topic: hint.topic, orgId, robotId: hint.robotId, epoch: hint.epoch }
          : undefined;
      case undefined:
      default:
        return undefined; // from a newer replica
    }
  } catch {
    return undefined;
  }
}

/** Its owner starts and closes it. */
export interface PostgresBus extends Bus {
  /** May be called again after a failure: a failed attempt leaves no state. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The default bus: LISTEN on its own connection, NOTIFY in the transaction that makes the change. A hint is therefore
 * sent if and only if the change is committed. States: connecting → up → (connection lost) connecting …, until closed.
 * `name`: see `connectionSettings`.
 */
export function postgresBus(connection: Connection, log: Logger, name?: string): PostgresBus {
  const listeners: Parameters<Bus['subscribe']>[0][] = [];
  let client: pg.Client | undefined;
  let up = false;
  let begunMs = -Infinity; // start of the newest connection, on the monotonic clock
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const deliver = (hints: Hint[]) => {
    for (const hint of hints) for (const listener of listeners) listener.hint(hint);
  };

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ ...connectionSettings(connection, name), query_timeout: pingTimeoutMs });
    client = fresh;
    begunMs = performance.now();
    fresh.on('error', () => lose(fresh));
    fresh.on('end', () => lose(fresh));
    fresh.on('notification', ({ payload }) => {
      const hint = readHint(payload ?? '');
      if (hint) return deliver([hint]);
      // A newer replica may send hints that this release does not know: drop every cache rather than too little.
      log.warn('received an unknown notification');
      for (const listener of listeners) listener.reset();
    });
    await fresh.connect();
    await fresh.query(`listen ${channel}`);
    // The end may arrive in the same packet as the reply, and is then handled first.
    if (client !== fresh) throw new Error('the connection ended while it was being opened');
    // Hints sent while this connection was down are lost.
    for (const listener of listeners) listener.reset();
    up = true;
    schedule(pingMs, ping);
  }

  async function ping(): Promise<void> {
    const asked = client;
    await asked?.query('select 1');
    if (client === asked) schedule(pingMs, ping);
  }

  /** Runs a step after `afterMs`. A failed step closes the connection, never the process. */
  function schedule(afterMs: number, step: () => Promise<void>): void {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      step().catch((error: unknown) => {
        log.warn({ err: error }, 'bus connection failed');
        lose(client);
      });
    }, afterMs);
    timer.unref();
  }

  function lose(lost: pg.Client | undefined): void {
    if (lost !== client || closed) return;
    if (up) log.warn('the bus is down: token permissions are read from the database until it is back');
    up = false;
    client = undefined;
    lost?.end().catch(() => undefined);
    schedule(Math.max(0, begunMs + reconnectMs - performance.now()), connect);
  }

  return {
    get up() {
      return up;
    },
    async start() {
      try {
        await connect();
      } catch (error) {
        clearTimeout(timer);
        const failed = client;
        client = undefined;
        failed?.end().catch(() => undefined);
        throw error;
      }
    },
    announcing: (transaction, hints) =>
      hints.length === 0
        ? []
        : [
            transaction.raw('select pg_notify(?, hint) from unnest(?::text[]) as hint', [
              channel,
              hints.map((hint) => JSON.stringify(hint)),
            ]),
          ],
    deliver,
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      closed = true;
      up = false;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
