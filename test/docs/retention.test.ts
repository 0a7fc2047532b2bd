import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

test('the page about retention names every table of the database, and no other', async () => {
  await using world = await startWorld();
  const { rows } = await world.db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const page = await readFile(new URL('../../docs/reference/retention.md', import.meta.url), 'utf8');
  const firstCells = page.split('\n').flatMap((line) => (/^\| `[a-z]/.test(line) ? [line.split('|')[1] ?? ''] : []));
  const named = firstCells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
  expect(named.sort()).toEqual(rows.map(({ name }) => name).sort());
});
