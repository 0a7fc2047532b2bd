import type { Trouble } from '../data/freshness.ts';
import { troubleOf } from '../data/trouble.ts';
import { blank, paragraph, type Line } from './panel.ts';

/** What a mutation rejects with is one already; anything else that is thrown is made one. */
export const troubleFrom = (error: unknown): Trouble => (isTrouble(error) ? error : troubleOf(error));

const isTrouble = (error: unknown): error is Trouble =>
  typeof error === 'object' && error !== null && 'message' in error && 'code' in error;

/** What went wrong, what to do about it, and what to tell the people of the service. */
export const troubleLines = ({ message, hint, requestId }: Trouble, width: number): Line[] => [
  blank,
  ...paragraph(message, width, 'bad'),
  ...(hint === undefined ? [] : paragraph(hint, width)),
  ...(requestId === undefined ? [] : paragraph(`request ${requestId}`, width, 'quiet')),
];
