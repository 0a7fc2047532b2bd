import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsModule from 'ajv-formats';
import standalone from 'ajv/dist/standalone/index.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { operationsOf } from './policies.ts';
import { withoutProse } from './validators.ts';

// Both packages are CommonJS whose types and module shape disagree under NodeNext.
const addFormats = formatsModule as unknown as typeof formatsModule.default;
const standaloneCode = standalone as unknown as typeof standalone.default;

type Response = OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject;

/** A copy in which every object is closed: clients accept fields they do not know, but the service sends none that it does not name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  if (copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy))
    copy['additionalProperties'] = false;
  return copy;
}

/** `replies`: by operation and status what judges the body; null where there is none, or a file. What is not in it is not declared. */
export function compileReplies(document: OpenAPIV3_1.Document): string {
  const ajv = new Ajv2020({
    strict: false,
    addUsedSchema: false,
    allErrors: false,
    inlineRefs: false, // each schema once, however many lists and envelopes hold it
    formats: { int32: true, int64: true },
    code: { source: true, esm: true },
  });
  addFormats(ajv);
  const { schemas, responses = {} } = document.components ?? {};
  ajv.addSchema({ $id: 'contract', components: closed(withoutProse({ schemas })) as object });
  const schemaOf = (response: Response): string | undefined => {
    const whole = '$ref' in response ? responses[nameIn(response.$ref)] : response;
    const schema = whole && 'content' in whole ? whole.content['application/json']?.schema : undefined;
    return schema && '$ref' in schema ? nameIn(schema.$ref) : undefined;
  };
  const ids: Record<string, string> = {};
  const table = [...operationsOf(document)].map(({ operation }) => {
    const judges = Object.entries(operation.responses ?? {}).map(([status, response]) => {
      const schema = schemaOf(response);
      if (schema !== undefined) ids[`reply${schema}`] = `contract#/components/schemas/${schema}`;
      return `${status}: ${schema === undefined ? 'null' : `reply${schema}`}`;
    });
    return `${String(operation.operationId)}: { ${judges.join(', ')} }`;
  });
  return `${standaloneCode(ajv, ids)}\nexport const replies = { ${table.join(', ')} };`;
}

const nameIn = (reference: string) => reference.split('/').at(-1) ?? '';
