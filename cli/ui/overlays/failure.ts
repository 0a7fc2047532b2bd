import type { Failure } from '../data/freshness.ts';
import { failureOf } from '../data/failure.ts';

/** What a mutation rejects with is one already; anything else that is thrown is made one. */
export const failureFrom = (error: unknown): Failure => (isTrouble(error) ? error : failureOf(error));

const isTrouble = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'message' in error && 'code' in error;
