import type { OpenAPIV3_1 } from 'openapi-types';

const methods = ['get', 'put', 'post', 'patch', 'delete', 'head'] as const;

type Operation = OpenAPIV3_1.OperationObject & {
  'x-token-kinds'?: string[];
  'x-audited'?: boolean;
  'x-stores-nothing'?: boolean;
  'x-may-be-stale'?: boolean;
};

/** All operations of a document with their methods, in its order. */
export function* operationsOf(
  document: Pick<OpenAPIV3_1.Document, 'paths'>,
): Generator<{ method: string; operation: Operation }> {
  for (const item of Object.values(document.paths ?? {}))
    for (const method of methods) {
      const operation = item?.[method] as Operation | undefined;
      if (operation) yield { method, operation };
    }
}

/** Says in each description what the dispatcher enforces, and stamps the version of the package. */
export function statePolicies(document: OpenAPIV3_1.Document, version: string): OpenAPIV3_1.Document {
  document.info.version = version;
  for (const { operation } of operationsOf(document)) {
    const role = Object.values(operation.security?.[0] ?? {})[0]?.[0];
    const kinds = operation['x-token-kinds'] ?? [];
    const tokens = `tokens: ${kinds.join(', ')}`;
    // Robots have no role.
    const least = `${role}${role === 'admin' ? '' : ' or higher'}${kinds.includes('robot') ? ', or a robot' : ''}`;
    const needs = role === undefined ? `Takes ${tokens}.` : `Needs ${least}; ${tokens}.`;
    const noted = operation['x-audited'] ? ' Each call is in the audit log.' : '';
    const stale = operation['x-may-be-stale'] ? ' May be up to 5 s behind.' : '';
    operation.description = `${operation.description?.trim()}\n\n${needs}${noted}${stale}`;
  }
  return document;
}

/** What the spec says of each operation beyond its messages, for the types of handlers. */
export function policyTypes(document: OpenAPIV3_1.Document): string {
  const operations = [...operationsOf(document)];
  const kinds = operations.map(
    ({ operation }) => `  ${operation.operationId}: '${operation['x-token-kinds']?.join("' | '")}';`,
  );
  const mutations = operations
    .filter(({ method, operation }) => !['get', 'head'].includes(method) && !operation['x-stores-nothing'])
    .map(({ operation }) => `'${operation.operationId}'`);
  const audited = operations
    .filter(({ operation }) => operation['x-audited'])
    .map(({ operation }) => `'${operation.operationId}'`);
  return `/** The kinds of caller that an operation takes (x-token-kinds). */
export interface CallerKinds {
${kinds.join('\n')}
}
/** The operations that change something: each runs in one transaction with its audit row. */
export type Mutation =
  | ${mutations.join('\n  | ')};
/** The reads that leave an audit row too (x-audited). */
export type AuditedRead =
  | ${audited.join('\n  | ')};
`;
}
