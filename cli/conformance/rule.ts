import { setTimeout as pause } from 'node:timers/promises';

/** The agent broke a rule of the protocol; the message is a sentence about what it did, with what came. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
}

/** No link came of a service that refuses nothing: most of the other checks would fail alike. */
export class NoLink extends BrokenRule {}

/** The rule is about something that this agent does not claim to do. */
export class NotClaimed extends Error {
  override readonly name = 'NotClaimed';
}

/** @throws BrokenRule */
export function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new BrokenRule(otherwise);
}

/** Frames and texts as they are told in a report: whole where they are short. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

const pollMs = 20;

/** Gives what the look gives as soon as it gives something. @throws BrokenRule when it does not in time, or cannot any more */
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
