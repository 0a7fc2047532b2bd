export interface NamedBindings {
  /** Gives the placeholder of a further value. */
  bind(value: string): string;
  readonly values: Readonly<Record<string, string>>;
}

/** Bindings of a statement of which parts are put together: knex does not mix names with positions. */
export function namedBindings(known: Readonly<Record<string, string>> = {}): NamedBindings {
  const values: Record<string, string> = { ...known };
  let count = 0;
  return {
    values,
    bind(value) {
      count += 1;
      values[`bound${count}`] = value;
      return `:bound${count}`;
    },
  };
}
