import { age } from '../components/age.ts';
import type { TableColumn } from './definition.ts';

/** Age of an instant: sorted newest first, saved as an instant, and not searched, since it changes with time alone. */
export const ageColumn = <T>(
  column: Omit<TableColumn<T>, 'text'>,
  instantOf: (item: T) => string | undefined,
): TableColumn<T> => ({
  align: 'right',
  text: (item) => age(instantOf(item)),
  saved: (item) => instantOf(item) ?? '',
  filtered: (item) => instantOf(item) ?? '',
  isSearched: false,
  order: (item) => -Date.parse(instantOf(item) ?? ''),
  ...column,
});
