import type { RunningServer } from './child.ts';
import { lastingPort } from './lasting-port.ts';
import { startOurs } from './ours.ts';

/** Replicas of the built service on one database, which reach each other. */
export interface Replicas extends AsyncDisposable {
  servers: readonly RunningServer[];
  /** One of them, by its number from 0. */
  url(index: number): string;
}

/** `env`: what all of them get besides the database. */
export async function startReplicas(
  databaseUrl: string,
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Replicas> {
  const servers: RunningServer[] = [];
  const stop = async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  };
  try {
    while (servers.length < count) {
      const port = String(await lastingPort());
      servers.push(
        await startOurs({
          DATABASE_URL: databaseUrl,
          PORT: port,
          SERVICE_REPLICA_URL: `http://127.0.0.1:${port}`,
          SERVICE_CLUSTER_SECRET: 'bench-cluster-secret-of-at-least-32-characters',
          ...env,
        }),
      );
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { servers, url: (index) => servers[index]?.url ?? '', [Symbol.asyncDispose]: stop };
}
