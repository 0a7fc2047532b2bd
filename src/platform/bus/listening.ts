import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Carrier, CarrierEvents } from './carrier.ts';
import { readMessage } from './hint.ts';
import { channel } from './hint-log.ts';

/**
 * LISTEN on the connection of the bus. A pooler in transaction mode accepts it, and delivers nothing: such a connection
 * reaches several processes of Postgres, or a notification to itself does not arrive with the reply.
 */
export function listening(log: Logger, { onMessage, onLost }: CarrierEvents): Carrier {
  let own = '';
  let process = 0; // of Postgres, at the first check of the connection
  let checks = 0;
  let heard = 0;
  let isHeard = false;
  let isPooled = false;

  async function check(client: pg.Client): Promise<void> {
    checks += 1;
    const { rows } = await client.query<{ pid: number }>('select pg_notify($1, $2), pg_backend_pid() as pid', [
      own,
      String(checks),
    ]);
    const pid = rows[0]?.pid ?? 0;
    if (checks === 1) process = pid;
    isHeard = heard === checks && pid === process && !isPooled;
    if (isHeard || isPooled) return;
    isPooled = true;
    log.warn(
      'notifications of Postgres do not arrive, as through a pooler in transaction mode: set DATABASE_DIRECT_URL to an address without it, or NATS_URL',
    );
  }

  return {
    get isHeard() {
      return isHeard;
    },

    async open(client) {
      isHeard = isPooled = false;
      own = `fleet_own_${randomBytes(8).toString('hex')}`;
      checks = heard = 0;
      client.on('notification', ({ channel: from, payload = '' }) => {
        if (from === own) {
          heard = Number(payload);
          return;
        }
        const message = readMessage(payload);
        if (message) return onMessage(message);
        log.warn('received an unknown notification');
        onLost();
      });
      await client.query(`listen ${channel}`);
      await client.query(`listen ${own}`);
      await check(client);
    },

    check,

    close: async () => undefined,
  };
}
