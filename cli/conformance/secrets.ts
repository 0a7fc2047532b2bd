/** A report is read by many: no token, key or secret of a stream that an agent wrote down or sent stands in it, not even half of one. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/(svc_(?:org|user|robot|enroll)_)[0-9a-f]+/gi, '$1[redacted]')
    .replaceAll(/("?secret"?\s*[:=]\s*"?)[0-9a-z+/_=-]{8,}/gi, '$1[redacted]')
    .replaceAll(/(\bBearer )[0-9a-z+/._=-]{8,}/gi, '$1[redacted]');
