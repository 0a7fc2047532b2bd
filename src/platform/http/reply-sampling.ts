import type { ValidateFunction } from 'ajv';
import type { Logger } from 'pino';

/** By operation and status what judges the body; null where the contract has none. */
type ReplyValidators = Record<string, Record<number, ValidateFunction | null>>;

/** Looks at a reply that was sent: its status, and its text where it is JSON and whole. */
export type ReplySampler = (status: number, text?: string) => void;

interface Sampling {
  replies: ReplyValidators;
  log: Logger;
  /** A reply was not what the contract says. */
  onViolation(operation: string): void;
}

/**
 * Replies that are looked at each second: the first of each operation, so that rare ones are seen, and this many at most. A quiet service looks at all of
 * them, a busy one at one of thousands.
 */
const looksPerSecond = 5;
/** A longer text would hold up other calls while it is read; a page of 250 robots has 100 KB. */
const maxCharacters = 131_072;
/** The same fault comes with each such reply. */
const tellAgainMs = 3_600_000;

/**
 * Holds a sample of the replies against the contract, once they are on their way. The fault is ours, and the caller has an answer: it is counted, and told
 * with the place in the reply, never with what stood there.
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
    if (Date.now() - (reportedAt.get(operation) ?? -Infinity) < tellAgainMs) return;
    reportedAt.set(operation, Date.now());
    log.error({ operation, status, ...fault }, 'a reply is not what the contract says');
  }

  return (operation) => {
    const now = Math.floor(Date.now() / 1_000);
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

/** The same items; of the first that come a look is taken, as of a list of their own. */
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
