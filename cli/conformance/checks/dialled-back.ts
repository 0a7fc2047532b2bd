import type { Open } from '../../../generated/frames.js';
import { limits } from '../../../generated/protocol.js';
import type { CheckContext } from '../check.ts';
import type { DialBack } from '../dial-backs.ts';
import { assertRule, shown } from '../rule.ts';

/**
 * The dialled-back socket of a stream that the agent was asked for. @throws BrokenRule when it refuses a capability
 * that it claims
 */
export async function dialledBack(
  { service, until }: CheckContext,
  kind: string,
  options: Pick<Open, 'parameters' | 'protocol'>,
): Promise<DialBack> {
  const session = service.streams.ask(kind, options);
  await until(
    () => session.stream ?? session.refused,
    `it neither dialled back for a ${kind} nor refused`,
    limits.openWithinMs,
  );
  assertRule(session.stream !== undefined, `it claims the capability, and refused: ${shown(session.refused)}`);
  return session.stream;
}
