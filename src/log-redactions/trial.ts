import { cutBytes } from '../kernel/cut-bytes.ts';
import type { BuiltinRedactor } from './builtin.ts';
import type { PatternRule, Said } from './model.ts';
import { maxMessageLength, redactSaid, type Redacted } from './record.ts';

/** What would be stored of a message if its org had one more rule. */
export interface TestedMessage {
  message: string;
  isMatched: boolean;
  /** The first built-in rule that changes the message without the new rule. */
  builtinRule: string | undefined;
}

interface Trial {
  /** The enabled rules of the org, to which the new one is added as the last. */
  rules: readonly PatternRule[];
  redactor: BuiltinRedactor;
  rule: PatternRule;
  /** Applies rules as they are applied to arriving records. */
  apply(rules: readonly PatternRule[], said: readonly Said[]): Promise<(Redacted | undefined)[]>;
}

/** Passes messages through all rules, with and without the new one. */
export async function testRule(
  { rules, redactor, rule, apply }: Trial,
  messages: readonly string[],
): Promise<TestedMessage[]> {
  const said = messages.map((message) => ({ message }));
  const without = rules.length > 0 ? await apply(rules, said) : [];
  const together = await apply([...rules, rule], said);
  return messages.map((message, index) => {
    const before = without[index]?.message ?? message;
    const after = together[index]?.message ?? message;
    return {
      message: stored(after, redactor),
      isMatched: after !== before,
      builtinRule: redactor.firstRule(before),
    };
  });
}

const stored = (message: string, { redact }: BuiltinRedactor): string =>
  cutBytes(redactSaid({ message }, redact)?.message ?? message, maxMessageLength);
