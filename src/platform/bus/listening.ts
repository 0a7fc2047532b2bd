import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { readMessage, type Message } from './hint.ts';
import { channel } from './hint-log.ts';

interface ListenSettings {
  log: Logger;
  onMessage(message: Message): void;
  /** A hint of a newer replica that this release does not know. */
  onUnknown(): void;
}

/**
 * LISTEN on a connection, and whether it works: a pooler in transaction mode accepts it, and delivers nothing. So each
 * check sends a notification on a channel that only this connection listens to, and expects it with the reply.
 */
export function listening({ log, onMessage, onUnknown }: ListenSettings) {
  let own = '';
  let checks = 0;
  let heard = 0;
  let isHeard = false;
  let hasWarned = false;

  async function check(client: pg.Client): Promise<void> {
    checks += 1;
    await client.query('select pg_notify($1, $2)', [own, String(checks)]);
    isHeard = heard === checks;
    if (!isHeard && !hasWarned)
      log.warn(
        'notifications of Postgres do not arrive: set DATABASE_DIRECT_URL to an address without a pooler in transaction mode, or NATS_URL',
      );
    hasWarned = !isHeard;
  }

  return {
    /** Whether notifications arrive. */
    get isHeard() {
      return isHeard;
    },

    /** Listens on a new connection. */
    async begin(client: pg.Client): Promise<void> {
      isHeard = false;
      own = `fleet_own_${randomBytes(8).toString('hex')}`;
      checks = heard = 0;
      client.on('notification', ({ channel: from, payload = '' }) => {
        if (from === own) {
          heard = Number(payload);
          return;
        }
        const message = readMessage(payload);
        if (message) return onMessage(message);
        // Drop every cache rather than too little.
        log.warn('received an unknown notification');
        onUnknown();
      });
      await client.query(`listen ${channel}`);
      await client.query(`listen ${own}`);
      await check(client);
    },

    check,
  };
}
