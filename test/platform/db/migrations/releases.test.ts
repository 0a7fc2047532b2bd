import { expect, test } from 'vitest';
import { knownMigrations } from '../../../../src/platform/db/migrations/index.ts';
import { lastMigrations, requiredMigrations } from '../../../../src/platform/db/migrations/releases.ts';

const known = ['0001_a', '0002_b', '0003_c', '0004_d'];

test.each([
  ['of all releases before the newest migrations', ['0001_a', '0002_b'], 'none', known.slice(0, 2)],
  ['of the release before, while a release is the newest one', ['0001_a', '0004_d'], 'none', known.slice(0, 1)],
  ['up to the last one with which the previous release does not start', ['0001_a'], '0003_c', known.slice(0, 3)],
])('a release must know the migrations %s', (_, released, incompatible, required) => {
  expect([...requiredMigrations(known, released, incompatible)]).toEqual(required);
});

test('the last migrations of releases exist, in order', () => {
  const places = Object.values(lastMigrations).map((name) => knownMigrations.indexOf(name));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});
