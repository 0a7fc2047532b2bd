import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import contract from '../../generated/openapi.json' with { type: 'json' };

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

interface Schema {
  [name: string]: unknown;
}

/** A copy with every object closed: a response with a field outside the contract is drift. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value as Schema).map(([key, child]) => [key, closed(child)]));
  if (copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy))
    copy['additionalProperties'] = false;
  return copy;
}

const document = closed(contract) as typeof contract;
/** Validates whole documents and frames alike. */
export const ajv = new Ajv2020({ strict: false, formats: { int32: true, int64: true } });
addFormats(ajv);
ajv.addSchema(document, 'contract');

interface Operation {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: { $ref: string } }> }>;
}

/** `/api/configs/deployments` before `/api/configs/{id}`. */
const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>)
  .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
  .map(([path, item]) => ({ pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`), item }));
const validators = new Map<string, ValidateFunction>();

/** The operation of a request; undefined if the contract has none. */
function operationOf(method: string, path: string): Operation | undefined {
  return paths.find(({ pattern }) => pattern.test(path))?.item[method.toLowerCase()];
}

/** Throws unless the contract declares the response for this operation: its status, its body, its envelope. */
export function checkReply(method: string, url: string, status: number, headers: Headers, body: string): void {
  const { pathname } = new URL(url);
  const where = `${method} ${pathname} answered ${status}`;
  if (!/^\/(api|agent)\//.test(pathname)) return;
  if (!headers.has('x-request-id') && !headers.get('connection')?.includes('close'))
    throw new Error(`${where} without X-Request-Id`);
  const operation = operationOf(method, pathname);
  const declared = operation?.responses[String(status)];
  if (!declared) {
    // Not declared by any operation: unknown paths and methods. They still use the envelope.
    if (operation || ![400, 401, 403, 404, 405, 417, 429, 431, 503].includes(status))
      throw new Error(`${where}, which the contract does not declare: ${body.slice(0, 300)}`);
    if (method === 'HEAD' && body === '') return;
    return validate('#/components/schemas/Error', where, body);
  }
  // An ambiguous URL is rejected (400) before it names an operation.
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
