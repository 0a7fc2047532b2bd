import { randomUUID } from 'node:crypto';
import { CliError, type ErrorCode } from '../../command-line/errors.ts';
import type { Failure } from '../data/freshness.ts';
import { failureFrom } from '../overlays/failure.ts';

/** A request for a deployment, and whether the service has made it. */
interface DeploymentRequest<T> {
  body: T;
  /** Display name of the target. */
  name: string;
  /** Sent again after a lost response, it still makes one deployment. */
  idempotencyKey: string;
  isMade: boolean;
  /** Of the deployment; undefined before it is made. */
  id?: string;
}

/**
 * The requests of one form. The same body gives the same request while the form exists, however often the user moves
 * between form and plan: nothing is deployed twice.
 */
export function deploymentRequests<T>(): (body: T, name: string) => DeploymentRequest<T> {
  const requests = new Map<string, DeploymentRequest<T>>();
  return (body, name) => {
    const key = JSON.stringify(body);
    const request = requests.get(key) ?? { body, name, idempotencyKey: randomUUID(), isMade: false };
    requests.set(key, request);
    return request;
  };
}

/**
 * Errors that concern one request alone. Any other failure affects the next one too: authentication, rate limit, no
 * response.
 */
const ofOneRequest: readonly ErrorCode[] = ['bad_request', 'not_found', 'conflict'];

const maxNames = 5;

/**
 * Sends the requests not made yet, one by one, and reports progress. Continues after an error of one request alone, and
 * stops after any other. Returns the ids of all that are made. Throws the first failure, with how many are made and which
 * remain.
 */
export async function makeAll<T>(
  requests: readonly DeploymentRequest<T>[],
  send: (request: T & { idempotencyKey: string }) => Promise<{ id: string }>,
  tell: (progress: string) => void,
): Promise<readonly string[]> {
  const made = () => requests.filter(({ isMade }) => isMade).length;
  let first: Failure | undefined;
  for (const request of requests.filter(({ isMade }) => !isMade)) {
    if (requests.length > 1) tell(`${made()} of ${requests.length} created`);
    try {
      ({ id: request.id } = await send({ ...request.body, idempotencyKey: request.idempotencyKey }));
      request.isMade = true;
    } catch (error) {
      const failure = failureFrom(error);
      first ??= failure;
      if (!ofOneRequest.includes(failure.code)) break;
    }
  }
  if (!first) return requests.flatMap(({ id }) => id ?? []);
  const { message, code, hint, requestId } = first;
  const left = requests.filter(({ isMade }) => !isMade).map(({ name }) => name);
  const names = `${left.slice(0, maxNames).join(', ')}${left.length > maxNames ? ` and ${left.length - maxNames} more` : ''}`;
  const how = requests.length === 1 ? '' : `${made()} of ${requests.length} created; not created: ${names}. `;
  throw new CliError(how + message, { code, hint, requestId });
}

/** Warnings of a plan if this form has already made some of it. */
export function madeWarnings(requests: readonly DeploymentRequest<unknown>[]): string[] {
  const made = requests.filter(({ isMade }) => isMade).length;
  if (made === 0) return [];
  return [
    `${made === requests.length ? 'All' : made} of it ${made === 1 ? 'is' : 'are'} ordered already, and not again.`,
  ];
}
