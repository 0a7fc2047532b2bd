import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import contract from '../../generated/openapi.json' with { type: 'json' };

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

interface Schema {
  [name: string]: unknown;
}

/** A copy in which every object is closed: a reply with a field that the contract does not name is drift. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value as Schema).map(([key, child]) => [key, closed(child)]));
  if (copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy))
    copy['additionalProperties'] = false;
  return copy;
}

const document = closed(contract) as typeof contract;
const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true } });
addFormats(ajv);
ajv.addSchema(document, 'contract');

interface Operation {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: { $ref: string } }> }>;
}

const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).map(
  ([path, item]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    item,
  }),
);
const validators = new Map<string, ValidateFunction>();

/** Which operation a request is; undefined for one that the contract does not have. */
function operationOf(method: string, path: string): Operation | undefined {
  return paths.find(({ pattern }) => pattern.test(path))?.item[method.toLowerCase()];
}

/** Throws unless the reply is one that the contract declares for this operation: its status, its body, its envelope. */
export function checkReply(method: string, url: string, status: number, headers: Headers, body: string): void {
  const { pathname } = new URL(url);
  const where = `${method} ${pathname} answered ${status}`;
  if (!/^\/(api|agent)\//.test(pathname)) return;
  if (!headers.has('x-request-id') && !headers.get('connection')?.includes('close'))
    throw new Error(`${where} without X-Request-Id`);
  const operation = operationOf(method, pathname);
  const declared = operation?.responses[String(status)];
  if (!declared) {
    // What no operation declares: unknown paths and methods. Still the envelope.
    if (operation || ![400, 401, 403, 404, 405, 417, 429, 431, 503].includes(status))
      throw new Error(`${where}, which the contract does not declare: ${body.slice(0, 300)}`);
    if (method === 'HEAD' && body === '') return;
    return validate('#/components/schemas/Error', where, body);
  }
  // An address that could be read in two ways is refused (400) before it names an operation.
  if (status !== 400 && !headers.has('x-spec-digest') && !headers.get('connection')?.includes('close'))
    throw new Error(`${where} without X-Spec-Digest`);
  const name = declared.$ref?.split('/').at(-1);
  const response =
    name === undefined ? declared : (document.components.responses as unknown as Operation['responses'])[name];
  if (response?.content?.['application/octet-stream'] ?? response?.content?.['application/x-asciicast']) return;
  if (method === 'HEAD' || !response?.content) {
    if (body !== '') throw new Error(`${where} with a body`);
    return;
  }
  const schema = response.content['application/json']?.schema.$ref;
  if (schema === undefined) throw new Error(`${where}, which declares no body`);
  validate(schema, where, body);
}

function validate(schema: string, where: string, body: string): void {
  const known = validators.get(schema) ?? ajv.compile({ $ref: `contract${schema}` });
  validators.set(schema, known);
  if (!known(JSON.parse(body)))
    throw new Error(
      `${where} with a body that the contract does not allow: ${ajv.errorsText(known.errors)}\n${body.slice(0, 500)}`,
    );
}
