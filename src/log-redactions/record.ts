import type { Said } from './model.ts';

/** The longest message that is stored, in characters: one has a byte or more. */
export const maxMessageLength = 16_384;
/** More of a longer message is searched, so that no part of a secret stays that begins before the cut. */
const overlap = 8_192;

interface RedactedMessage {
  message: string;
  isRedacted: boolean;
  isCut: boolean; // its end is left out
}

/** A message without secrets. */
function redactMessage(sent: string, redact: (text: string) => string): RedactedMessage {
  const isCut = sent.length > maxMessageLength + overlap;
  const searched = isCut ? sent.slice(0, maxMessageLength + overlap) : sent;
  const message = redact(searched);
  const kept = isCut ? message.slice(0, message.length - uncertainLength(searched, message)) : message;
  return { message: kept, isRedacted: message !== searched, isCut };
}

/** At the end of what was searched there may be a part of a secret: in what is unchanged after the last replacement. */
function uncertainLength(searched: string, message: string): number {
  let length = 0;
  while (length < overlap && length < message.length && searched.at(-1 - length) === message.at(-1 - length))
    length += 1;
  return length;
}

/** Fields without secrets, in names and in values. The same object if nothing was replaced. */
function redactFields(fields: Record<string, unknown>, redact: (text: string) => string) {
  return redactValue(fields, redact) as Record<string, unknown>;
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, redact));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value) as [string, unknown][];
  const after = before.map(([name, item]): [string, unknown] => [redact(name), redactValue(item, redact)]);
  const isSame = after.every(([name, item], index) => name === before[index]?.[0] && item === before[index][1]);
  return isSame ? value : Object.fromEntries(after);
}

export interface Redacted extends Said {
  isCut: boolean;
}

/** What is left of what a record says; undefined if nothing was replaced. */
export function redactSaid(said: Said, redact: (text: string) => string): Redacted | undefined {
  const { message, isRedacted, isCut } = redactMessage(said.message, redact);
  const fields = said.fields && redactFields(said.fields, redact);
  if (!isRedacted && fields === said.fields) return undefined;
  return { message, isCut, ...(fields && { fields }) };
}
