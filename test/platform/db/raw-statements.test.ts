import knex, { type Knex } from 'knex';
import { expect, test } from 'vitest';
import { createRawStatements } from '../../../src/platform/db/raw-statements.ts';

const db = knex({ client: 'pg' });

const asRaw = (raw: Knex.Raw) => raw as unknown as Parameters<ReturnType<typeof createRawStatements>['find']>[0];

/** What is found for the second statement, after the first of the same text was learned; and what knex makes of it. */
function again(first: Knex.Raw, second: Knex.Raw) {
  const statements = createRawStatements();
  expect(statements.find(asRaw(first))).toBeUndefined();
  statements.learn(asRaw(first), first.toSQL().toNative().sql);
  const { sql: text, bindings } = second.toSQL().toNative();
  return { found: statements.find(asRaw(second)), byKnex: { text, values: [...bindings] } };
}

test.each<[string, string, Knex.RawBinding[] | Knex.ValueDict, Knex.RawBinding[] | Knex.ValueDict]>([
  ['values in order', 'select ?::int, ? where ?', [1, 'one', true], [2, null, false]],
  ['values by name, among casts', 'select :one::int, :two::text[], :one', { one: 1, two: 'a' }, { two: 'b', one: 3 }],
  ['values that no name asks for', 'select :one', { one: 1 }, { one: 2, two: 2 }],
  ['what only looks like a name', `select '10:30'::time, :one`, { one: 1 }, { one: 2 }],
  ['objects and dates', 'select ?, ?', [{ a: 1 } as never, new Date(0)], [{ b: ['?'] } as never, new Date(1)]],
])('a text that is known is not translated again: %s', (_case, sql, first, second) => {
  const { found, byKnex } = again(db.raw(sql, first as never), db.raw(sql, second as never));
  expect(found).toEqual(byKnex);
});

test('a text without values is known too', () => {
  const { found, byKnex } = again(db.raw('select now()'), db.raw('select now()'));
  expect(found).toEqual(byKnex);
});

test.each<[string, string, unknown, unknown]>([
  ['an identifier', 'select ??', ['a'], ['b']],
  ['an identifier by name', 'select :one:', { one: 'a' }, { one: 'b' }],
  ['a question mark that is no value', String.raw`select a \? b, ?`, [1], [2]],
  ['a statement as first value', 'select ?', [db.raw('now()')], [1]],
  ['a statement as a later value', 'select ?', [1], [db.raw('now()')]],
  ['a query as a later value', 'select :one', { one: 1 }, { one: db('robots') }],
  ['a name that has a value later', `select '10:mm', :one`, { one: 1 }, { one: 2, mm: 3 }],
])('%s is always left to knex', (_case, sql, first, second) => {
  expect(again(db.raw(sql, first as never), db.raw(sql, second as never)).found).toBeUndefined();
});

test('values that are missing, or of another number, are left to knex, which refuses them', () => {
  const statements = createRawStatements();
  const known = db.raw('select ?, ?', [1, 2]);
  statements.learn(asRaw(known), known.toSQL().toNative().sql);
  for (const values of [[1], [1, 2, 3], [1, undefined]]) {
    const raw = db.raw('select ?, ?', values as never);
    expect(statements.find(asRaw(raw))).toBeUndefined();
    expect(() => raw.toSQL()).toThrow();
  }
});
