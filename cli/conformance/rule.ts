import { setTimeout as pause } from 'node:timers/promises';

/** The agent broke a rule of the protocol; the message says what it did, with what was received. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

/** The agent opened no link to a service that refuses nothing: most other checks would fail too. */
export class NoLink extends BrokenRule {}

/** The rule is about a feature that this agent does not claim. */
export class NotSupported extends Error {
  override readonly name = 'NotSupported';
}

/** @throws BrokenRule */
export function assertRule(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new BrokenRule(otherwise);
}

/** A frame or text as a report shows it: cut after 500 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

const pollMs = 20;

/** Returns the first result of `look`. @throws BrokenRule after a timeout, or once no result can follow */
export async function until<T>(
  look: () => T | undefined | false,
  withinMs: number,
  isOver: () => boolean,
  otherwise: () => string,
): Promise<T> {
  const limit = performance.now() + withinMs;
  for (;;) {
    const value = look();
    if (value !== undefined && value !== false) return value;
    if (isOver()) throw new BrokenRule(otherwise());
    if (performance.now() > limit) throw new BrokenRule(`${otherwise()} (waited ${Math.round(withinMs / 1000)} s)`);
    await pause(pollMs);
  }
}
