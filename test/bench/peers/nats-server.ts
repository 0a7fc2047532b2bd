import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct } from './product.ts';

/** Without verbose mode, messages are not acknowledged. */
export const natsHello = 'CONNECT {"verbose":true,"protocol":1,"lang":"bench","version":"1"}\r\n';
export const natsMessage = (subject: string, text: string): string =>
  `PUB ${subject} ${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** A nats-server that takes WebSocket links; undefined where there is none: `apt-get install nats-server` brings it. */
export const startNatsServer = () =>
  startProduct('nats-server', async ({ folder, port }) => {
    const config = join(folder, 'config');
    const settings = [
      ...['host: 127.0.0.1', 'port: -1', 'max_connections: 20000', 'ping_interval: "1h"'], // -1: any free one
      `websocket { host: 127.0.0.1, port: ${port}, no_tls: true }`,
    ];
    await writeFile(config, `${settings.join('\n')}\n`);
    return ['-c', config, '-l', join(folder, 'log')];
  });

/** A plain nats-server, as the bus of replicas; undefined where there is none. */
export const startHintServer = () =>
  startProduct('nats-server', async ({ folder, port }) => [
    ...['-a', '127.0.0.1', '-p', String(port)],
    ...['-l', join(folder, 'log')],
  ]);
