import { randomUUID } from 'node:crypto';
import contract from '../../generated/openapi.json' with { type: 'json' };

export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: string[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minProperties?: number;
  minItems?: number;
  maxProperties?: number;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  examples?: unknown[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example: unknown;
}

export interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  id: string;
  method: string; // upper case
  path: string; // `/api/robots/{id}`
  parameters: Parameter[];
  body: (Content & { required: boolean }) | undefined;
  takesFile: boolean;
  storesNothing: boolean; // whatever its method
  replies: { status: number; content: Content | undefined }[]; // except those with a file, or without a body
  leastRole: string | undefined;
  tokenKinds: string[];
}

type Raw = Record<string, unknown>;

/** Never have a body: the caller already has it, or finds it elsewhere. */
const withoutBody = ['304', '307'];

/** A copy with every `$ref` replaced by its target. The contract has no recursive schema. */
function inlined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inlined);
  if (typeof value !== 'object' || value === null) return value;
  const reference = (value as Raw)['$ref'];
  if (typeof reference === 'string') {
    let named: unknown = contract;
    for (const part of reference.slice(2).split('/')) named = (named as Raw)[part];
    return inlined(named);
  }
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, inlined(child)]));
}

const jsonOf = (part: unknown): Content | undefined =>
  (part as { content?: Record<string, Content> } | undefined)?.content?.['application/json'];

const isFile = (part: unknown): boolean => {
  const content = (part as { content?: object } | undefined)?.content ?? {};
  return 'application/octet-stream' in content || 'application/x-asciicast' in content;
};

/** Every schema of the contract by name, with all references resolved. */
export const schemas = inlined(contract.components.schemas) as Record<string, Schema>;

/** Every operation of the contract, in its order, with all references resolved. */
export const operations: Operation[] = Object.entries(inlined(contract.paths) as Record<string, Record<string, Raw>>)
  .flatMap(([path, item]) => Object.entries(item).map(([method, raw]) => ({ path, method, raw })))
  .map(({ path, method, raw }) => {
    const body = jsonOf(raw['requestBody']);
    const security = (raw['security'] ?? contract.security) as Record<string, string[]>[];
    return {
      id: raw['operationId'] as string,
      method: method.toUpperCase(),
      path,
      parameters: (raw['parameters'] ?? []) as Parameter[],
      body: body && { ...body, required: (raw['requestBody'] as { required?: boolean }).required === true },
      takesFile: isFile(raw['requestBody']),
      storesNothing: raw['x-stores-nothing'] === true,
      replies: Object.entries(raw['responses'] as Raw)
        .filter(([, reply]) => !isFile(reply) && (method !== 'head' || jsonOf(reply)))
        .filter(([status]) => !withoutBody.includes(status))
        .map(([status, reply]) => ({ status: Number(status), content: jsonOf(reply) })),
      leastRole: Object.values(security[0] ?? {})[0]?.[0],
      tokenKinds: raw['x-token-kinds'] as string[],
    };
  });

/** The parameters of an operation in one place. */
export const parametersIn = (operation: Operation, place: Parameter['in']): Parameter[] =>
  operation.parameters.filter((parameter) => parameter.in === place);

/** The required headers of a call: a fresh key if the operation takes one, the type of a file. */
export const headersFor = (operation: Operation): Record<string, string> => ({
  ...(parametersIn(operation, 'header').some(({ name }) => name === 'Idempotency-Key')
    ? { 'Idempotency-Key': randomUUID() }
    : {}),
  ...(operation.takesFile ? { 'Content-Type': 'application/octet-stream' } : {}),
});

/** The required query parameters of a call, as their examples. */
export const requiredQuery = (operation: Operation): Record<string, string> =>
  Object.fromEntries(
    parametersIn(operation, 'query')
      .filter(({ required }) => required === true)
      .map(({ name, example }) => [name, String(example)]),
  );

/** What a read with filters found: the items of a list, or the intervals that have log records. */
export const foundIn = (body: { items?: unknown[]; data?: { total: { points: unknown[] } } }): unknown[] | undefined =>
  body.items ?? body.data?.total.points;
