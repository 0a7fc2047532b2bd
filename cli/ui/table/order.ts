import type { AnyTable, TableColumn } from './definition.ts';
import type { ListState } from '../views.ts';

/** Rows by a column. Equal ones keep the order they had, in both directions; those without a value come last, in both. */
export function sortItems(table: AnyTable, items: readonly unknown[], sort: ListState['sort']): readonly unknown[] {
  const column = sort && table.columns.find(({ title }) => title === sort.title);
  if (!column) return items;
  const keys = items.map(keyOf(column));
  const direction = sort.isReverse ? -1 : 1;
  const order = items.map((_, index) => index);
  order.sort((left, right) => {
    const [a, b] = [keys[left], keys[right]];
    if (a === undefined || b === undefined) return a === b ? left - right : a === undefined ? 1 : -1;
    return a < b ? -direction : a > b ? direction : left - right;
  });
  return order.map((index) => items[index]);
}

type Key = string | number | undefined;

function keyOf(column: TableColumn<unknown>): (item: unknown) => Key {
  return (item) => {
    const value = (column.order ?? column.text)(item);
    if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
    return value === '' ? undefined : natural(value);
  };
}

/** So that `amr-9` comes before `amr-10`: a number is told by its length first. Comparing these is many times faster than a collator of numbers. */
const natural = (text: string) => text.toLowerCase().replace(/\d+/g, told);

function told(number: string): string {
  const digits = number.startsWith('0') ? number.replace(/^0+(?=\d)/, '') : number;
  return String.fromCharCode(zero + Math.min(digits.length, longest)) + digits;
}

const zero = '0'.charCodeAt(0);
/** The sign for it comes before all letters still. */
const longest = 9;
