import { expect, test } from 'vitest';
import { streamAudit } from '../../../src/live/dial-back/service.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { startPostgresProxy } from '../../support/postgres-proxy.ts';
import { startWorld } from '../../support/world.ts';

test('an audit entry of a stream whose reply of the database is lost is written again and is there once', async () => {
  await using world = await startWorld();
  await using proxy = await startPostgresProxy(world.connection);
  const db = openDatabase(proxy.connection);
  const notes = streamAudit({ db, log: createLogger('silent', []) });
  const [robotId, tokenId] = [newId(), newId()];
  const caller = { kind: 'org', orgId: world.orgId, tokenId, role: 'admin' } as const;
  const stream = { orgId: world.orgId, robotId, kind: 'shell', caller, requestId: 'request' };
  const operations = async () =>
    (await world.call('GET', `/api/audit?object_id=${robotId}`)).body.items.map(
      ({ operation }: { operation: string }) => operation,
    );
  notes.write(newId(), stream, 'open', {});
  await expect.poll(operations).toEqual(['openShell']);
  proxy.mode = 'cut';
  notes.write(newId(), stream, 'close', {});
  await expect.poll(() => proxy.cuts).toBeGreaterThan(0);
  proxy.mode = 'pass';
  await notes.written();
  expect(await operations()).toEqual(['openShell', 'closeShell']);
  await db.destroy();
});
