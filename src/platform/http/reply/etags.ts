import { createHash } from 'node:crypto';

/** Of a SHA-256 in base64; nobody gains by a page that passes for another one of his own. */
const tagCharacters = 26;

/** Stands for a page of a list: weak, as it speaks of what the page says and not of its bytes. */
export const listTag = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, tagCharacters)}"`;

/** Whether `If-None-Match` names this tag, compared weakly (RFC 9110 §13.1.2). */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((each) => each.trim() === '*' || strong(each.trim()) === strong(tag)) ?? false;

const strong = (tag: string) => tag.replace(/^W\//, '');
