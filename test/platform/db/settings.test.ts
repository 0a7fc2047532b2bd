import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { startWorld } from '../../support/world.ts';

test('no statement of a connection is compiled', async () => {
  await using world = await startWorld();
  const db = openDatabase(world.connection);
  const { rows } = await db.raw<{ rows: [{ jit: string }] }>('show jit');
  await db.destroy();
  expect(rows).toEqual([{ jit: 'off' }]);
});
