import { createRequire } from 'node:module';
import type { CodeKeywordDefinition, KeywordErrorDefinition } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsModule from 'ajv-formats';
import standalone from 'ajv/dist/standalone/index.js';
import { OpenAPIBackend } from 'openapi-backend';
import type { OpenAPIV3_1 } from 'openapi-types';
import { operationsOf } from './policies.ts';

// Both packages are CommonJS whose types and module shape disagree under NodeNext.
const addFormats = formatsModule as unknown as typeof formatsModule.default;
const standaloneCode = standalone as unknown as typeof standalone.default;

/**
 * Compiles what openapi-backend itself would compile for each operation, so the module it yields can take the place of its
 * own validators. Bodies and parameters are judged as they are: nothing is coerced (the dispatcher reads numbers in queries).
 */
export async function compileValidators(document: OpenAPIV3_1.Document): Promise<string> {
  const ajv = new Ajv2020({
    strict: false,
    addUsedSchema: false,
    allErrors: false,
    formats: { int32: true, int64: true },
    code: { source: true, esm: true },
  });
  addFormats(ajv);
  tellPatternsInWords(ajv);
  const ids: Record<string, string> = {};
  let count = 0;
  // Stands where openapi-backend expects its own draft-07 Ajv; it only ever calls `compile`.
  const collecting: unknown = {
    compile(schema: object) {
      const id = `request${count++}`;
      return ajv.addSchema(withoutProse(schema), id).getSchema(id);
    },
  };
  const api = new OpenAPIBackend({
    definition: document,
    quick: true,
    customizeAjv: (original) => Object.assign(original, collecting),
  });
  await api.init();
  const table: string[] = [];
  for (const { operation } of operationsOf(document)) {
    const first = count;
    const operationId = String(operation.operationId);
    api.validator.getRequestValidatorsForOperation(operationId);
    const names = Array.from({ length: count - first }, (_, index) => `request${first + index}`);
    for (const name of names) ids[name] = name;
    table.push(`${operationId}: [${names.join(', ')}]`);
  }
  return `${standaloneCode(ajv, ids)}\nexport const validators = { ${table.join(', ')} };`;
}

// Its default export is wrapped once more or once less by whoever loads it, so it is required as the CommonJS that it is.
const { default: patternKeyword } = createRequire(import.meta.url)('ajv/dist/vocabularies/validation/pattern.js') as {
  default: CodeKeywordDefinition & { error: KeywordErrorDefinition };
};

/** What a text must be stands beside its pattern, as `x-message`: nobody who typed a name reads a regular expression. */
function tellPatternsInWords(ajv: Ajv2020): void {
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    ...patternKeyword,
    error: {
      ...patternKeyword.error,
      message: ({ parentSchema }) => {
        const words: unknown = parentSchema?.['x-message'];
        return typeof words === 'string' ? words : 'does not have the right form';
      },
    },
  });
}

/** Descriptions and samples decide nothing and would be two thirds of the file. */
export function withoutProse<T>(schema: T): T {
  // A property may be named `description`: it is a schema then, an object, and stays.
  const isProse = (key: string, value: unknown) =>
    Array.isArray(value) ? key === 'examples' : ['description', 'title'].includes(key) && typeof value !== 'object';
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (isProse(key, value) ? undefined : value))) as T;
}
