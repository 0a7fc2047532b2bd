import type { Redactor } from './model.ts';

/**
 * The built-in rules, by name, in the order in which they are applied. The first group of a pattern is kept. Each takes
 * time in proportion to the text: repetitions are not nested, and each begins at a place that it cannot reach from
 * another one, or ends after a few hundred characters.
 */
const patterns: Record<string, RegExp> = {
  'service-token': /()svc_(?:org|user|robot|enroll|ticket)_[0-9a-f]{16,}/g,
  'aws-key':
    /()\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b|(secret_?access_?key\\?["']?\s{0,3}[=:]\s{0,3}\\?["']?)[A-Za-z0-9+/]{40}/gi,
  'github-token': /()\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g,
  'gitlab-token': /()\bgl(?:pat|rt|cbt|dt|ptt)-[A-Za-z0-9_.-]{20,}/g,
  'slack-token': /()\b(?:xox[abeprs]|xapp)-[A-Za-z0-9-]{10,}/g,
  jwt: /()(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  'authorization-header':
    /(\bauthorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:bearer|basic|token|apikey)\s{1,3})[^\s"'\\,;]{4,}|(\bbearer\s{1,3})[A-Za-z0-9._~+/-]{20,}=*/gi,
  'private-key':
    /()-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  'url-password': /(:\\?\/\\?\/[^\s:@/\\"'<>]{0,200}:)[^\s@/\\"'<>]{1,400}(?=@)/g,
};

/** What each secret contains, so that one search decides for most texts that there is none. */
const hint =
  /svc_|A(?:KIA|SIA|BIA|CCA)|secret_?access_?key|gh[opsur]_|github_pat_|\bgl[a-z]{2,3}-|xox[a-z]-|xapp-|eyJ|bearer\s|authorization|PRIVATE KEY|:\\?\/\\?\/[^\s/\\@]{1,601}@/i;

/** In JSON, these may hide any character, or a slash. */
const isHiding = (json: string) => json.includes('\\u') || json.includes('\\/');

/** Applies built-in rules. */
export interface BuiltinRedactor extends Redactor {
  /** Name of the first rule that changes the text; undefined if none does. */
  firstRule(text: string): string | undefined;
}

/** Applies the built-in rules, except the disabled ones. */
export function builtinRedactor(disabled: ReadonlySet<string> = new Set()): BuiltinRedactor {
  const rules = Object.entries(patterns)
    .filter(([name]) => !disabled.has(name))
    .map(([name, pattern]) => ({ name, pattern, by: (_match: string, ...kept: unknown[]) => replaced(name, kept) }));
  return {
    redact: (text) =>
      rules.length > 0 && hint.test(text)
        ? rules.reduce((soFar, { pattern, by }) => soFar.replace(pattern, by), text)
        : text,
    mayMatch: (json) => rules.length > 0 && (hint.test(json) || isHiding(json)),
    firstRule: (text) =>
      hint.test(text) ? rules.find(({ pattern, by }) => text.replace(pattern, by) !== text)?.name : undefined,
  };
}

/** `groups`: of the match, then its position and the text; of the groups, one took part. */
const replaced = (name: string, groups: readonly unknown[]): string =>
  `${groups.slice(0, -2).find((group) => group !== undefined) as string}[redacted: ${name}]`;
