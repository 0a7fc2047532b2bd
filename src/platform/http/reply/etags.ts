import { createHash } from 'node:crypto';

/** Length kept of a SHA-256 in base64url; a collision would only affect a caller's own pages. */
const tagCharacters = 26;

/** The ETag of a page of a list: weak, as it covers the content of the page and not its bytes. */
export const listTag = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, tagCharacters)}"`;

/** Whether `If-None-Match` contains this tag, compared weakly (RFC 9110 §13.1.2). */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((each) => each.trim() === '*' || strong(each.trim()) === strong(tag)) ?? false;

const strong = (tag: string) => tag.replace(/^W\//, '');
