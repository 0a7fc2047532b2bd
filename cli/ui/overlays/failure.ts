import type { Failure } from '../data/freshness.ts';
import { failureOf } from '../data/failure.ts';

/** Mutations reject with a Failure, which is kept; any other error is converted. */
export const failureFrom = (error: unknown): Failure => (isTrouble(error) ? error : failureOf(error));

const isTrouble = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && 'message' in error && 'code' in error;
