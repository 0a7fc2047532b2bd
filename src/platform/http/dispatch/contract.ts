import type { OpenAPIV3_1 } from 'openapi-types';
import { roles, type CallerKind, type Role } from '../../../kernel/caller.ts';
import type { TypedQueries } from '../request/input.ts';

export type Document = OpenAPIV3_1.Document;

/** One operation of the contract, with the values that the dispatcher needs, computed once. */
export interface Operation {
  id: string;
  method: string; // upper case
  path: string; // as in the contract, `/api/robots/{id}`
  parameters: OpenAPIV3_1.ParameterObject[];
  typedQueries: TypedQueries;
  takesBody: boolean;
  takesBytes: boolean; // the body is a file, read by the handler as it arrives
  changes: boolean; // runs in a transaction with an audit row: anything but GET, HEAD and what stores nothing
  auditedRead: boolean; // makes no change, but writes an audit row
  idempotent: boolean; // takes an Idempotency-Key
  conditional: boolean; // its pages have an ETag; a caller that has the page gets 304
  leastRole: Role | undefined; // undefined if no role applies: admin token, enrollment key
  tokenKinds: Set<CallerKind>;
  anyOrg: boolean; // a token of several orgs may call it without naming one
  asksRobot: boolean; // waits for a response of a robot
  mayBeStale: boolean; // may be read from a standby
  definition: OpenAPIV3_1.OperationObject & { path: string; method: string };
}

export type Match = { operation: Operation; params: Record<string, string> } | { allow: string[] } | undefined;

/** The `x-` extensions of an operation in the contract. */
interface Policies {
  'x-token-kinds'?: CallerKind[];
  'x-audited'?: boolean;
  'x-stores-nothing'?: boolean;
  'x-any-org'?: boolean;
  'x-asks-robot'?: boolean;
  'x-may-be-stale'?: boolean;
}

interface Route {
  segments: (string | undefined)[]; // undefined stands for a parameter
  names: string[];
  operations: Map<string, Operation>;
}

const methods = ['get', 'put', 'post', 'patch', 'delete', 'head'] as const;

/**
 * The routing table of a dereferenced contract. openapi-backend's router lists all operations and compiles every path
 * again for each request; here a request is compared only with the few paths of its length.
 */
export function compileContract(document: Document): {
  operations: Operation[];
  match: (method: string, segments: string[]) => Match;
} {
  const operations: Operation[] = [];
  const routesByLength = new Map<number, Route[]>();
  for (const [path, item = {}] of Object.entries(document.paths ?? {})) {
    const found = methods.flatMap((method) => {
      const definition = item[method];
      return definition ? [compileOperation(path, method, definition, document)] : [];
    });
    const segments = path.slice(1).split('/');
    const route: Route = {
      segments: segments.map((segment) => (segment.startsWith('{') ? undefined : segment)),
      names: segments.filter((segment) => segment.startsWith('{')).map((segment) => segment.slice(1, -1)),
      operations: new Map(found.map((operation) => [operation.method, operation])),
    };
    const sameLength = routesByLength.get(segments.length) ?? [];
    routesByLength.set(segments.length, sameLength);
    // `/api/configs/deployments` before `/api/configs/{id}`.
    if (route.names.length === 0) sameLength.unshift(route);
    else sameLength.push(route);
    operations.push(...found);
  }
  return {
    operations,
    match(method, segments) {
      const route = routesByLength.get(segments.length)?.find((candidate) => fits(candidate.segments, segments));
      if (!route) return undefined;
      const operation = route.operations.get(method);
      if (!operation) return { allow: [...route.operations.keys()] };
      const values = segments.filter((_, index) => route.segments[index] === undefined);
      return { operation, params: Object.fromEntries(route.names.map((name, index) => [name, values[index] ?? ''])) };
    },
  };
}

const fits = (pattern: (string | undefined)[], segments: string[]): boolean =>
  pattern.every((part, index) => (part === undefined ? segments[index] !== '' : part === segments[index]));

const queriesOf = (parameters: OpenAPIV3_1.ParameterObject[], type: string): Set<string> =>
  new Set(
    parameters
      .filter((each) => each.in === 'query' && (each.schema as { type?: string }).type === type)
      .map((each) => each.name),
  );

const takesBytes = (body: OpenAPIV3_1.RequestBodyObject | undefined): boolean =>
  body !== undefined && 'application/octet-stream' in body.content;

function compileOperation(
  path: string,
  method: string,
  definition: OpenAPIV3_1.OperationObject,
  document: Document,
): Operation {
  const id = definition.operationId;
  if (id === undefined) throw new Error(`${method} ${path} has no operationId`);
  const parameters = (definition.parameters ?? []) as OpenAPIV3_1.ParameterObject[];
  const security = definition.security ?? document.security ?? [];
  if (security.length !== 1 || Object.keys(security[0] ?? {}).length !== 1)
    throw new Error(`${id} must name exactly one security scheme`);
  const leastRole = Object.values(security[0] ?? {})[0]?.[0] as Role | undefined;
  const {
    'x-token-kinds': kinds = [],
    'x-audited': isAudited = false,
    'x-stores-nothing': storesNothing = false,
    'x-any-org': anyOrg = false,
    'x-asks-robot': asksRobot = false,
    'x-may-be-stale': mayBeStale = false,
  } = definition as Policies;
  if (kinds.length === 0) throw new Error(`${id} names no token kinds: nobody could call it`);
  if (leastRole !== undefined && !roles.includes(leastRole))
    throw new Error(`${id} names the unknown role ${leastRole}`);
  if (mayBeStale && method !== 'get') throw new Error(`${id} may be stale, so it must be a GET`);
  return {
    id,
    method: method.toUpperCase(),
    path,
    parameters,
    typedQueries: { integers: queriesOf(parameters, 'integer'), booleans: queriesOf(parameters, 'boolean') },
    takesBody: definition.requestBody !== undefined,
    takesBytes: takesBytes(definition.requestBody as OpenAPIV3_1.RequestBodyObject | undefined), // references are resolved
    changes: method !== 'get' && method !== 'head' && !storesNothing,
    auditedRead: isAudited,
    idempotent: parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'idempotency-key'),
    conditional: definition.responses?.['304'] !== undefined,
    leastRole,
    tokenKinds: new Set(kinds),
    anyOrg,
    asksRobot,
    mayBeStale,
    definition: { ...definition, path, method, security },
  };
}
