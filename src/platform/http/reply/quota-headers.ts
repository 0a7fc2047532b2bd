import type { QuotaRoom } from '../../../kernel/errors.ts';

/** `X-Quota`, in the form of the `RateLimit` fields. No header for an org without the quota. */
export const quotaHeaders = (room: QuotaRoom | undefined): Record<string, string> =>
  room === undefined ? {} : { 'X-Quota': `"${room.name}";q=${room.limit};r=${room.left}` };
