import { expect, test } from 'vitest';
import { createLogIngest } from '../../src/logs/service.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { messagesOf, records, sendTo, startLogWorld } from './support.ts';

test('an org for which Postgres reports an error holds up the records of other orgs for seconds, and fails none of them', async () => {
  await using failing = await startLogWorld();
  await using other = await startLogWorld();
  const { db, orgId } = failing.world;
  const [link, healthy] = [await failing.robot(), await other.robot()];
  const ingest = createLogIngest({ db, log: createLogger('silent', []), flushEveryMs: 5, retryForMs: 240_000 });
  await db.raw(
    `create function org_error() returns trigger language plpgsql as $$ begin raise 'damaged' using errcode = 'XX001'; end $$`,
  );
  // As segments or as chunks: tests beside this one may add a replica of the previous release.
  for (const table of ['log_streams', 'log_chunks'])
    await db.raw(
      `create trigger org_error before insert on ${table} for each row when (new.org_id = '${orgId}') execute function org_error()`,
    );
  try {
    const refused = sendTo(ingest, link, records(1, 1));
    const outcomes = await Promise.all([sendTo(ingest, healthy, records(1, 1)), refused]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'failed']);
    expect(await sendTo(ingest, healthy, records(2, 2))).toMatchObject({ kind: 'stored' });
  } finally {
    await db.raw('drop function org_error cascade');
  }
  const next = await failing.relink(link);
  expect(await sendTo(ingest, next, records(1, 2))).toMatchObject({ kind: 'stored' });
  await ingest.close();
  expect(messagesOf(await failing.all(link.robotId))).toEqual(['line 1', 'line 2']);
  expect(messagesOf(await other.all(healthy.robotId))).toEqual(['line 1', 'line 2']);
});
