import { expect, test } from 'vitest';
import { createBus } from '../../../src/platform/bus/create-bus.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { startPostgresProxy } from '../../support/postgres-proxy.ts';
import { startIsolatedWorld } from '../../support/world.ts';

test('a connection that is ended in the packet of a reply is made anew, and hints arrive on it', async () => {
  await using world = await startIsolatedWorld();
  if (typeof world.connection === 'string') throw new Error('tests connect by fields');
  await using proxy = await startPostgresProxy(world.connection);
  const bus = createBus({ connection: proxy.connection, log: createLogger('silent') });
  const orgs: string[] = [];
  let resets = 0;
  bus.subscribe({ hint: ({ orgId }) => void orgs.push(orgId), reset: () => void (resets += 1) });
  await bus.start();
  resets = 0;
  proxy.mode = 'terminate';
  // The bus asks each second what is new.
  await expect.poll(() => proxy.cuts).toBeGreaterThan(0);
  proxy.mode = 'pass';
  // Before it notices the end, it still counts as up, and a hint is lost with the connection.
  await expect.poll(() => resets > 0 && bus.up).toBe(true);
  await bus.send(world.db, [{ topic: 'access_changed', orgId: 'o-1' }]);
  await expect.poll(() => orgs).toEqual(['o-1']);
  await bus.close();
});
