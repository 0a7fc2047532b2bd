import { randomUUID } from 'node:crypto';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A UUID of version 7 (RFC 9562 §5.7): the first 48 bits are the time in ms, so that new rows are added at the end of
 * an index.
 */
export function newId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0');
  // The 74 random bits and the variant are from a version 4 UUID, which Node generates 128 at a time.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Before every ID, for the first page of a list by ID. */
export const lowestId = '00000000-0000-0000-0000-000000000000';

/** Whether Postgres accepts this text as an id. Stores check it first: another form is not found, never an error. */
export const isId = (text: string): boolean => uuid.test(text);
