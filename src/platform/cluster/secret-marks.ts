import { createHmac } from 'node:crypto';

/** What a replica publishes of its secrets, in their order: others see whether they have the same ones, and nothing else. */
export const secretMarks = (secrets: readonly string[]): string[] =>
  secrets.map((secret) => createHmac('sha256', secret).update('mark of a cluster secret').digest('base64url'));

/** Whether two replicas have a secret in common. */
export const doShare = (own: readonly string[], other: readonly string[]): boolean =>
  own.some((mark) => other.includes(mark));
