import type { OpenAPIV3_1 } from 'openapi-types';

/** Where a service answers that was started as the quick start says. */
export const baseUrl = 'http://127.0.0.1:8080';
/** What samples bring to the service, or take from it. */
export const fileName = { artifact: 'nav-1.8.2.tar', recording: 'shell.cast' } as const;

/** A call of an operation, as its examples in the contract have it. */
export interface SampleCall {
  operationId: string;
  method: string; // upper case
  template: string; // `/api/robots/{id}`
  pathParameters: Record<string, string>;
  /** Required ones alone: a sample is the least that works. */
  query: Record<string, string>;
  takesKey: boolean;
  body: unknown; // undefined where it has none
  /** The environment variable with its token. */
  token: 'SERVICE_TOKEN' | 'SERVICE_ADMIN_TOKEN' | 'SERVICE_ENROLLMENT_KEY' | 'SERVICE_ROBOT_TOKEN';
  /** The file whose bytes are the body. */
  upload: string | undefined;
  /** The file that the answer is kept in. */
  download: string | undefined;
  answer: 'items' | 'data' | 'whole';
  /** A list of resources, which a client reads page by page. */
  pages: boolean;
}

type Operation = OpenAPIV3_1.OperationObject & { 'x-token-kinds'?: string[] };
type Parts = Record<string, unknown> | undefined;

/** By the first kind of token that an operation takes; people's for any other. */
const tokens: Record<string, SampleCall['token'] | undefined> = {
  admin: 'SERVICE_ADMIN_TOKEN',
  enroll: 'SERVICE_ENROLLMENT_KEY',
  robot: 'SERVICE_ROBOT_TOKEN',
};

export function sampleCall(
  document: OpenAPIV3_1.Document,
  template: string,
  method: string,
  operation: Operation,
): SampleCall {
  const parameters = (operation.parameters ?? []).map((each) => named(document, each) as OpenAPIV3_1.ParameterObject);
  const examples = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place && each.required === true)
        .map(({ name, example }) => [name, String(example)]),
    );
  const request = contentOf(document, operation.requestBody);
  const reply = contentOf(document, operation.responses?.['200'] ?? operation.responses?.['201']);
  const json = request?.['application/json'] as { example?: unknown } | undefined;
  const kind = operation['x-token-kinds']?.[0] ?? '';
  return {
    operationId: operation.operationId ?? '',
    method: method.toUpperCase(),
    template,
    pathParameters: examples('path'),
    query: examples('query'),
    takesKey: 'Idempotency-Key' in examples('header'),
    body: json?.example,
    token: tokens[kind] ?? 'SERVICE_TOKEN',
    upload: isFile(request) ? fileName.artifact : undefined,
    download: isFile(reply) ? downloaded(reply) : undefined,
    answer: operation.operationId?.startsWith('list') ? 'items' : template.startsWith('/agent/p') ? 'whole' : 'data',
    pages: operation.responses !== undefined && '304' in operation.responses,
  };
}

/** The path with its examples and its query. */
export function pathOf({ template, pathParameters, query }: SampleCall): string {
  const path = template.replace(/\{(\w+)\}/g, (_part, name: string) => pathParameters[name] ?? '');
  const asked = new URLSearchParams(query).toString();
  return asked === '' ? path : `${path}?${asked}`;
}

const isFile = (content: Parts) =>
  content !== undefined && ('application/octet-stream' in content || 'application/x-asciicast' in content);

const downloaded = (content: Parts) =>
  content && 'application/x-asciicast' in content ? fileName.recording : fileName.artifact;

const contentOf = (document: OpenAPIV3_1.Document, part: unknown): Parts =>
  part === undefined ? undefined : (named(document, part) as { content?: Record<string, unknown> }).content;

/** What a reference names; anything else is what it is. */
function named(document: OpenAPIV3_1.Document, part: unknown): unknown {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part;
  let found: unknown = document;
  for (const step of $ref.slice(2).split('/')) found = (found as Record<string, unknown>)[step];
  return found;
}
