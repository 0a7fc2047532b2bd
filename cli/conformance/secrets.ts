/**
 * Removes the tokens, keys and stream secrets that an agent wrote or sent, even half of one: many people read a report.
 */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/(svc_(?:org|user|robot|enroll)_)[0-9a-f]+/gi, '$1[redacted]')
    .replaceAll(/("?secret"?\s*[:=]\s*"?)[0-9a-z+/_=-]{8,}/gi, '$1[redacted]')
    .replaceAll(/(\bBearer )[0-9a-z+/._=-]{8,}/gi, '$1[redacted]');
