import type { ValidateFunction } from 'ajv';
import type { Logger } from 'pino';

/** Validators of response bodies by operation and status; null if the contract has no body. */
type ReplyValidators = Record<string, Record<number, ValidateFunction | null>>;

/** Checks a reply that was sent: its status, and its text if it is complete JSON. */
export type ReplySampler = (status: number, text?: string) => void;

interface Sampling {
  replies: ReplyValidators;
  log: Logger;
  /** A reply violates the contract. */
  onViolation(operation: string): void;
}

/**
 * Replies checked per second: the first of each operation, so that rare ones are included, up to this limit. A quiet
 * service checks all replies, a busy one checks one in thousands.
 */
const looksPerSecond = 5;
/** A longer text would delay other requests while it is checked; a page of 250 robots has 100 KB. */
const maxCharacters = 131_072;
/** Minimum time between two reports of an operation: every such reply has the same fault. */
const tellAgainMs = 3_600_000;

/**
 * Checks a sample of the replies against the contract after they are sent. A violation is the service's fault, and the
 * caller has its response. It is counted, and logged with its place in the reply, never with the value.
 */
export function replySampling({
  replies,
  log,
  onViolation,
}: Sampling): (operation: string) => ReplySampler | undefined {
  let second = 0;
  const seen = new Set<string>();
  const reportedAt = new Map<string, number>();

  function judge(operation: string, status: number, text: string | undefined): void {
    const declared = replies[operation];
    if (!declared) return;
    const validate = declared[status];
    let fault: object | undefined;
    if (validate === undefined) fault = { rule: 'the status is not declared' };
    else if (validate && text !== undefined && !validate(JSON.parse(text))) {
      const [error] = validate.errors ?? [];
      const { missingProperty, additionalProperty } = (error?.params ?? {}) as Record<string, string | undefined>;
      const name = missingProperty ?? additionalProperty;
      fault = { pointer: `${error?.instancePath ?? ''}${name === undefined ? '' : `/${name}`}`, rule: error?.keyword };
    }
    if (!fault) return;
    onViolation(operation);
    if (performance.now() - (reportedAt.get(operation) ?? -Infinity) < tellAgainMs) return;
    reportedAt.set(operation, performance.now());
    log.error({ operation, status, ...fault }, 'a response does not match the contract');
  }

  return (operation) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) {
      second = now;
      seen.clear();
    }
    if (seen.size >= looksPerSecond || seen.has(operation)) return undefined;
    seen.add(operation);
    return (status, text) => {
      const whole = text === undefined || text.length > maxCharacters ? undefined : text;
      setImmediate(judge, operation, status, whole);
    };
  };
}

/** The same items; the first chunk is sampled as a list of its own. */
export async function* sampledItems(
  items: AsyncIterable<string>,
  status: number,
  look: ReplySampler,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const some of items) {
    if (isFirst) look(status, `{"items":[${some}]}`);
    isFirst = false;
    yield some;
  }
}
