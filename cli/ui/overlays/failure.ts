import type { Trouble } from '../data/freshness.ts';
import { troubleOf } from '../data/failure.ts';

/** What a mutation rejects with is one already; anything else that is thrown is made one. */
export const troubleFrom = (error: unknown): Trouble => (isTrouble(error) ? error : troubleOf(error));

const isTrouble = (error: unknown): error is Trouble =>
  typeof error === 'object' && error !== null && 'message' in error && 'code' in error;
