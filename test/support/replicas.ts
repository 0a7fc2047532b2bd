import { tellsHeldBytes } from './flood.ts';
import { freePort } from './free-port.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { together } from './together.ts';
import { replicaBeside, type IsolatedWorld } from './world.ts';

export const clusterSecret = 'cluster-secret-of-the-tests-0123456789abcdef';

/** Settings that make a server on that port a replica that others can reach. */
export const clusterOf = (port: number | string) => ({
  SERVICE_REPLICA_URL: `http://127.0.0.1:${port}`,
  SERVICE_CLUSTER_SECRET: clusterSecret,
});

/** Another replica on the world's database, in its own process. */
export async function startReplica(world: IsolatedWorld, env: Record<string, string> = {}): Promise<ServerProcess> {
  const port = String(await freePort());
  return startServer({
    ...replicaBeside(world),
    PORT: port,
    ...clusterOf(port),
    ...tellsHeldBytes,
    ...env,
  });
}

/** So many replicas. A test may leave them stopped (SIGSTOP): they continue for their disposal. */
export const startReplicas = (world: IsolatedWorld, count: 1 | 2 | 3) =>
  together(async (own) => {
    const start = async () => {
      const replica = own(await startReplica(world));
      own({ [Symbol.dispose]: () => void replica.child.kill('SIGCONT') });
      return replica;
    };
    const all = await Promise.all(Array.from({ length: count }, start));
    return all as [ServerProcess, ServerProcess, ServerProcess];
  });
