import type { JsonRows } from '../../platform/db/json-rows.ts';

/** The rows of a list of the API. */
export const rowsOf = <Row>({ objects }: Pick<JsonRows<string>, 'objects'>): Row[] =>
  objects.map((text) => JSON.parse(text) as Row);
