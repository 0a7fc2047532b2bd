import { startHintServer } from '../peers/nats-server.ts';
import type { RowContext } from './row.ts';

/** How hints travel between replicas. */
export interface HintWay {
  name: string;
  env: Readonly<Record<string, string>>; // of the replicas
  isNats: boolean;
}

export interface HintWays extends AsyncDisposable {
  notify: HintWay;
  nats: HintWay | undefined;
  /** Both, or the one that there is. */
  all: readonly HintWay[];
  /** Ends the NATS server: hints come by the log in Postgres then, once a second. */
  stopNats(): Promise<void>;
}

/** By LISTEN/NOTIFY, and by NATS where nats-server is installed. */
export async function startHintWays({ note }: Pick<RowContext, 'note'>, row: string): Promise<HintWays> {
  const server = await startHintServer();
  if (!server) note(`${row}  there is no nats-server, so nothing is measured with NATS: apt-get install nats-server`);
  const notify = { name: 'LISTEN/NOTIFY', env: {}, isNats: false };
  const nats = server && { name: 'NATS', env: { NATS_URL: `nats://127.0.0.1:${server.port}` }, isNats: true };
  let running = server;
  const stopNats = async () => {
    await running?.[Symbol.asyncDispose]();
    running = undefined;
  };
  return { notify, nats, all: nats ? [nats, notify] : [notify], stopNats, [Symbol.asyncDispose]: stopNats };
}
