import type { OpenAPIV3_1 } from 'openapi-types';
import { operationsOf } from './policies.ts';

type Json = Record<string, unknown>;

/** A schema sample is `examples: [x]` in 3.1 and `example: x` in 3.0; `propertyNames` is unknown there. */
function downgrade(value: unknown, inSchema: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => downgrade(item, inSchema));
  if (typeof value !== 'object' || value === null) return value;
  const result: Json = {};
  for (const [key, child] of Object.entries(value)) {
    if (inSchema && key === 'propertyNames') continue;
    if (inSchema && key === 'examples' && Array.isArray(child)) result['example'] = child[0];
    else if (key === 'example') result[key] = child;
    else if (key === 'properties') result[key] = mapValues(child as Json, (schema) => downgrade(schema, true));
    else result[key] = downgrade(child, inSchema || key === 'schema');
  }
  return result;
}

const mapValues = (value: Json, change: (item: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));

/** The same contract as 3.0.3: role arrays emptied (3.0 allows scopes for OAuth2 only), samples respelt. */
export function toOpenApi30(document: OpenAPIV3_1.Document): unknown {
  const { info, components, ...rest } = structuredClone(document);
  const { summary, license, ...plainInfo } = info;
  for (const { operation } of operationsOf(rest))
    operation.security = (operation.security ?? []).map(
      (requirement) => mapValues(requirement, () => []) as Record<string, string[]>,
    );
  return {
    ...(downgrade({ ...rest, components: { ...components, schemas: undefined } }, false) as Json),
    openapi: '3.0.3',
    info: {
      ...plainInfo,
      description: `${summary}\n\n${plainInfo.description}`,
      license: { name: license?.name, url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    security: document.security?.map((requirement) => mapValues(requirement, () => [])),
    components: {
      ...(downgrade({ ...components, schemas: undefined }, false) as Json),
      schemas: downgrade(components?.schemas, true),
    },
  };
}
