import { html, type Html } from '../../platform/http/html.ts';
import { inline } from './markdown.ts';

/** The parts of JSON Schema that the contract uses for its frames. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  pattern?: string;
  $defs?: Record<string, Schema>;
}

/** Referenced schemas, by name. */
export type NamedSchemas = Readonly<Record<string, Schema>>;

export const lastOf = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1);

/** The first cell of a row is its header. */
export const table = (title: string, columns: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html =>
  html`<div class="wide prose" role="region" aria-label="${title}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** `1 to 64`, `at least 1` or `at most 64`; undefined without limits. */
function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? undefined : `at most ${most}`;
}

function limitsOf(schema: Schema): Html[] {
  const counted = (numbers: string | undefined, unit: string) =>
    numbers === undefined ? [] : [html`${numbers} ${unit}`];
  const value = range(schema.minimum, schema.maximum);
  return [
    ...(value === undefined ? [] : [html`${value}`]),
    ...(schema.exclusiveMinimum === undefined ? [] : [html`more than ${schema.exclusiveMinimum}`]),
    ...counted(range(schema.minLength, schema.maxLength), 'characters'),
    ...counted(range(schema.minItems, schema.maxItems), 'items'),
    ...counted(range(undefined, schema.maxProperties), 'members'),
    ...(schema.uniqueItems ? [html`all different`] : []),
    ...(schema.pattern === undefined ? [] : [html`<code>${schema.pattern}</code>`]),
  ];
}

/** The type with its limits; a named schema links to its section. */
export function kindOf(schema: Schema): Html {
  const limits = limitsOf(schema).map((limit) => html`, ${limit}`);
  return html`${typeOf(schema)}${limits}`;
}

function typeOf({ $ref, type, const: value, enum: values, items, additionalProperties }: Schema): Html {
  if (value !== undefined) return html`<code>${JSON.stringify(value)}</code>`;
  if (values) return html`${values.map((one) => JSON.stringify(one)).join(' or ')}`;
  if ($ref !== undefined) return html`<a href="#schema-${lastOf({ $ref })}">${lastOf({ $ref })}</a>`;
  if (items) return html`array of ${kindOf(items)}`;
  if (typeof additionalProperties === 'object') return html`object, each member ${kindOf(additionalProperties)}`;
  return html`${[type ?? 'anything'].flat().join(' or ')}`;
}

/** The schema's fields, including those from `allOf`. */
function wholeOf(schema: Schema, named: NamedSchemas): Required<Pick<Schema, 'properties' | 'required'>> {
  const parts = (schema.allOf ?? []).map((part) =>
    wholeOf(part.$ref === undefined ? part : (named[lastOf({ $ref: part.$ref })] ?? {}), named),
  );
  return {
    properties: Object.assign({}, schema.properties, ...parts.map(({ properties }) => properties)) as Record<
      string,
      Schema
    >,
    required: [schema.required ?? [], ...parts.map(({ required }) => required)].flat(),
  };
}

/** A row for each field; fields of an unnamed object follow as `object.field`. */
function rowsOf(schema: Schema, named: NamedSchemas, prefix = ''): (readonly (string | Html)[])[] {
  const { properties, required } = wholeOf(schema, named);
  return Object.entries(properties).flatMap(([name, field]) => [
    [
      html`<code>${prefix}${name}</code>${required.includes(name) ? ', required' : ''}`,
      kindOf(field),
      inline(field.description ?? ''),
    ],
    ...rowsOf(field, named, `${prefix}${name}.`),
    ...rowsOf(field.items ?? {}, named, `${prefix}${name}[].`),
  ]);
}

/** The fields with their types, limits and meanings; undefined for a schema without fields. */
export function fieldTable(title: string, schema: Schema, named: NamedSchemas = {}): Html | undefined {
  const rows = rowsOf(schema, named);
  return rows.length === 0 ? undefined : table(title, ['Name', 'Type', 'Description'], rows);
}
