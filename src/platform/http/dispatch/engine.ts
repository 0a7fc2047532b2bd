import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { OpenAPIBackend, type Context, type Handler, type ParsedRequest } from 'openapi-backend';
import type { Caller } from '../../../kernel/caller.ts';
import { badRequest, unauthorized } from '../../../kernel/errors.ts';
import { authorize } from './authorize.ts';
import type { Download, StoredFile } from './files.ts';
import { compileContract, type Document, type Operation } from './contract.ts';

/** A request in the contract engine: matched, its caller known, its body parsed. */
export interface Exchange {
  operation: Operation;
  caller: Caller;
  requestId: string;
  params: Record<string, string>;
  query: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  body: unknown;
  leaveSlot: () => void;
}

export interface Outcome {
  status: number;
  /** An object to serialise, or the exact text to send; undefined for headers alone, a file or a download. */
  body?: object | string | undefined;
  file?: StoredFile;
  download?: Download;
  headers?: Record<string, string>;
}

/** The request that openapi-backend gets and passes back: the exchange, in the fields that it reads. */
type Request = ParsedRequest & { exchange: Exchange };

/**
 * openapi-backend checks every document against the 3.0 meta-schema (openapistack/openapi-backend#532); Redocly has
 * checked this one.
 */
class ContractApi extends OpenAPIBackend {
  override validateDefinition() {
    return this.document;
  }
}

/**
 * openapi-backend over this contract: it checks security, validates and calls `run`. Its slow work per request is done
 * once instead: the compiled table does the match, the request is already parsed, the validators are compiled at build
 * time. openapi-backend continues when no handler is registered for refused security, for failed validation or for a
 * missing operation. Here each of these cases ends in an error.
 */
export async function contractEngine(
  document: Document,
  validators: Record<string, ValidateFunction[]>,
  run: (exchange: Exchange) => Promise<Outcome>,
) {
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  const api = new ContractApi({
    definition: document, // it has its own copy of the OpenAPI types
    quick: true,
    strict: true,
    handlers: {
      notFound: fail('the table matched what openapi-backend does not know'),
      methodNotAllowed: fail('the table matched a method that openapi-backend does not know'),
      notImplemented: fail('the operation has no handler'),
      unauthorizedHandler: refuse,
      validationFail: (context: Context) => {
        throw badRequest(describe(context.validation.errors ?? []));
      },
    },
  });
  await api.init();
  const contract = compileContract(api.definition as unknown as Document);
  const definitions = new Map(contract.operations.map(({ id, definition }) => [id, definition]));
  api.router.getOperation = (id) => definitions.get(id); // the original reads all operations for each registered one
  for (const operation of contract.operations) {
    const compiled = validators[operation.id];
    // Without this, openapi-backend would compile a validator itself, with a draft-07 Ajv that knows no formats.
    if (!compiled) throw new Error(`${operation.id} has no compiled validators: npm run generate`);
    api.validator.requestValidators[operation.id] = compiled;
    api.registerHandler(operation.id, ((_context, exchange: Exchange) => run(exchange)) satisfies Handler);
    for (const scheme of Object.keys(operation.definition.security?.[0] ?? {}))
      api.registerSecurityHandler(scheme, allow);
  }
  api.router.matchOperation = (request: Request) => request.exchange.operation.definition;
  api.router.parseRequest = (request: Request) => request;

  return {
    match: contract.match,
    operations: contract.operations,
    async handle(exchange: Exchange): Promise<Outcome> {
      const { params, query, headers, body, operation } = exchange;
      const request: Request = {
        method: operation.method,
        path: operation.path,
        params,
        query,
        headers: headers,
        cookies: {},
        body: operation.takesBytes ? undefined : body,
        requestBody: operation.takesBytes ? undefined : body,
        exchange,
      };
      return (await api.handleRequest(request, exchange)) as Outcome;
    },
  };
}

/**
 * The dispatcher has already authorised the call before it read the body. openapi-backend checks again, so that neither
 * alone can accept a call.
 */
function allow(_context: Context, exchange: Exchange): true {
  authorize(exchange.operation, exchange.caller);
  return true;
}

/** openapi-backend treats anything that a security handler throws as a refusal. Rethrow errors as they are. */
function refuse(context: Context): never {
  for (const result of Object.values(context.security)) {
    const { error } = (typeof result === 'object' && result !== null ? result : {}) as { error?: unknown };
    if (error instanceof Error) throw error;
  }
  throw unauthorized('token missing');
}

/** Describes the first error: where, and what. For a pattern, the contract has the message (`x-message`). */
function describe(errors: ErrorObject[]): string {
  const [error] = errors;
  if (!error) return 'the request does not match the contract';
  const [, part = '', ...rest] = error.instancePath.split('/');
  const place = part === 'requestBody' ? 'body' : part;
  const where = [place, ...rest].join('.');
  const { params } = error as { params: Record<string, unknown> };
  if (error.keyword === 'required' && params['missingProperty'] === 'requestBody') return 'body: is required';
  if (error.keyword === 'additionalProperties')
    return `${where}: unknown ${place === 'query' ? 'parameter' : 'field'} "${String(params['additionalProperty'])}"`;
  if (error.keyword === 'required') return `${where}: "${String(params['missingProperty'])}" is required`;
  if (error.keyword === 'enum') return `${where}: must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
  const limit = Number(params['limit']);
  const plain: Record<string, string> = {
    maxLength: `must have at most ${limit} characters`,
    minLength: limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`,
    maxProperties: `must have at most ${limit} fields`,
    minProperties: 'name at least one field',
    minimum: `must be ${limit} or more`,
    maximum: `must be ${limit} or less`,
  };
  return `${where}: ${plain[error.keyword] ?? String(error.message)}`;
}
