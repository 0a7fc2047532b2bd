import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Connection } from '../../src/platform/db/index.ts';
import { tempDir } from './temp-dir.ts';

export interface PostgresProxy extends AsyncDisposable {
  /** The same database, through this proxy. */
  connection: Exclude<Connection, string>;
  /**
   * From now on: `pass` everything; `cut` a connection when the database responds, after it did the work; `refuse` all
   * connections, and end open ones; `hang`: hold the database's responses, as if it were frozen; `terminate`: send a
   * response and the end of the connection in one packet, as `pg_terminate_backend` may.
   */
  mode: 'pass' | 'cut' | 'refuse' | 'hang' | 'terminate';
  /** Forwards the held responses. */
  thaw(): void;
  /** Connections cut during a response. */
  cuts: number;
}

const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
const terminated = Buffer.concat([Buffer.from('E\0\0\0'), Buffer.from([fields.length + 4]), fields]);

/** A proxy between a client and the Unix socket of a Postgres. */
export async function startPostgresProxy(target: Exclude<Connection, string>): Promise<PostgresProxy> {
  const folder = await tempDir();
  const file = `.s.PGSQL.${target.port}`;
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const proxy: PostgresProxy = {
    connection: { ...target, host: folder.path },
    mode: 'pass',
    thaw: () => held.splice(0).forEach((pass) => pass()),
    cuts: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
      await folder[Symbol.asyncDispose]();
    },
  };
  const server = createServer((client) => {
    if (proxy.mode === 'refuse') return void client.destroy();
    const database = connect(join(target.host, file));
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (proxy.mode === 'refuse') client.destroy();
      else database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (proxy.mode === 'pass') return void client.write(bytes);
      if (proxy.mode === 'hang') return void held.push(() => client.write(bytes));
      proxy.cuts += 1;
      if (proxy.mode === 'terminate') client.end(Buffer.concat([bytes, terminated]));
      else client.destroy();
    });
  });
  server.listen(join(folder.path, file));
  await once(server, 'listening');
  return proxy;
}
