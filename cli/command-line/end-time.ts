import { parseStartTime, startTimeForms } from './start-time.ts';

const aSpan = /^(?:\d{1,5}[mhd] ?)+$/;

/** What a user can type. */
export const endTimeForms = `3d, ${startTimeForms.replace('now, ', '')}`;

/** When something ends, as `parseStartTime`; `3d` is `in 3d`. Or what is wrong with the text, as the end of a sentence about it. */
export function parseEndTime(typed: string, now: Date): { at: Date } | { fault: string } {
  const text = typed.trim();
  const time = parseStartTime(aSpan.test(text) ? `in ${text}` : text, now);
  if ('fault' in time) return { fault: time.fault.replace('a start time', 'a time') };
  return time.at ? { at: time.at } : { fault: 'is not ahead' };
}
