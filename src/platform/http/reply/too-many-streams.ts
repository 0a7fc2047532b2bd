import type { QuotaRoom } from '../../../kernel/errors.ts';
import { HttpError } from './failures.ts';
import { quotaHeaders } from './quota-headers.ts';

/** `room`: the quota that is used up, if that is the reason. */
export const tooManyStreams = ({ message, room }: { message: string; room?: QuotaRoom }): HttpError =>
  new HttpError(429, message, { headers: { 'Retry-After': '10', ...quotaHeaders(room) } });
