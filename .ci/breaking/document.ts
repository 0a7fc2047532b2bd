export const upperBounds = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'] as const;
export const lowerBounds = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'] as const;

/** As much of a JSON schema as the gate reads. */
export interface Schema extends Partial<Record<(typeof upperBounds)[number] | (typeof lowerBounds)[number], number>> {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  multipleOf?: number;
  uniqueItems?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export type Content = Record<string, { schema?: Schema }>;
type Reference = { $ref: string };
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema?: Schema;
};
export type RequestBody = { required?: boolean; content?: Content };
export type Header = { schema?: Schema };
export type Response = { headers?: Record<string, Header | Reference>; content?: Content };

/** As much of an operation as the gate reads; `security` names the least role of each scheme. */
export interface Operation {
  operationId?: string;
  security?: Record<string, string[]>[];
  'x-token-kinds'?: string[];
  'x-any-org'?: boolean;
  tags?: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses?: Record<string, Response | Reference>;
}

/** As much of OpenAPI 3.1 as the gate reads. */
export interface Document {
  info?: { version?: string };
  paths?: Record<string, Record<string, Operation>>;
  components?: Record<string, Record<string, unknown>>;
}

/** Both documents of a comparison. */
export interface Versions {
  before: Document;
  after: Document;
}

/** A change that can break a client. `subject` is the operationId or component name by which the CHANGELOG has to name it. */
export interface Breaking {
  subject: string;
  what: string;
}

const methods = new Set(['get', 'put', 'post', 'patch', 'delete', 'head', 'options']);

/** Every operation of a document, by `METHOD /path`. */
export function operationsOf(document: Document): Map<string, Operation> {
  return new Map(
    Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => methods.has(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}

/** Follows a `$ref` within the document; `name` is that of the component, undefined for what stands inline. */
export function resolve<T extends object>(document: Document, value: T | Reference): { value: T; name?: string } {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return { value: value as T };
  const [kind = '', name = ''] = value.$ref.replace('#/components/', '').split('/');
  const component = document.components?.[kind]?.[name] as T | undefined;
  if (component === undefined) throw new Error(`the document refers to ${value.$ref}, which it lacks`);
  return { value: component, name };
}
