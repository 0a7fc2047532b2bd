import { expect, test } from 'vitest';
import { builtinRedactor } from '../../src/log-redactions/builtin.ts';
import { mintToken, tokenKinds } from '../../src/kernel/tokens.ts';

const { redact, mayMatch } = builtinRedactor();
const hex = 'a1'.repeat(32);

const secrets: [rule: string, sent: string, kept: string][] = [
  ['service-token', `POST /x token=svc_robot_${hex}&a=1`, 'POST /x token=[redacted: service-token]&a=1'],
  ['service-token', 'cut off: svc_enroll_a1b2c3d4e5f60718', 'cut off: [redacted: service-token]'],
  ['aws-key', 'key AKIAIOSFODNN7EXAMPLE.', 'key [redacted: aws-key].'],
  [
    'aws-key',
    'aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"',
    'aws_secret_access_key = "[redacted: aws-key]"',
  ],
  [
    'aws-key',
    '{"SecretAccessKey":"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}',
    '{"SecretAccessKey":"[redacted: aws-key]"}',
  ],
  ['github-token', `git clone with ghp_${'a1B2'.repeat(9)}`, 'git clone with [redacted: github-token]'],
  ['github-token', `github_pat_${'a1B_'.repeat(15)}`, '[redacted: github-token]'],
  ['gitlab-token', 'CI job: glpat-Zx3_k9-pQ7rT2uVwX4yZ', 'CI job: [redacted: gitlab-token]'],
  ['slack-token', 'hook xoxb-123456789012-abcDEF', 'hook [redacted: slack-token]'],
  ['jwt', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3 at', 'got [redacted: jwt] at'],
  [
    'authorization-header',
    'Authorization: Basic dXNlcjpwYXNz',
    'Authorization: Basic [redacted: authorization-header]',
  ],
  [
    'authorization-header',
    `{"headers":{"authorization":"Bearer abc.def"}}`,
    `{"headers":{"authorization":"Bearer [redacted: authorization-header]"}}`,
  ],
  [
    'authorization-header',
    'curl -H BEARER abcdefghijklmnopqrstuvwx==',
    'curl -H BEARER [redacted: authorization-header]',
  ],
  [
    'private-key',
    'key: -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----, loaded',
    'key: [redacted: private-key], loaded',
  ],
  ['private-key', 'cut off: -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz', 'cut off: [redacted: private-key]'],
  [
    'url-password',
    'postgres://fleet:s3c:r@db:5432/x is away',
    'postgres://fleet:[redacted: url-password]@db:5432/x is away',
  ],
  ['url-password', '{"broker":"mqtt:\\/\\/:pw@broker"}', '{"broker":"mqtt:\\/\\/:[redacted: url-password]@broker"}'],
];

test('each built-in rule replaces what it is for, and nothing around it', () => {
  for (const [, sent, kept] of secrets) expect(redact(sent)).toBe(kept);
});

test('a token of each kind that this service makes is replaced', () => {
  for (const kind of tokenKinds) expect(redact(`"${mintToken(kind).value}"`)).toBe('"[redacted: service-token]"');
});

test('text without a secret stays as it is', () => {
  const harmless = [
    'GET https://host:8080/a@b?email=kim@example.com took 12 ms',
    'authorization: required; bearer authentication failed for svc_robot_',
    'the PRIVATE KEY is missing: -----BEGIN CERTIFICATE-----',
    'commit 0123456789abcdef0123456789abcdef01234567, eyJ, AKIA, ghp_short, glpat-, xoxb-',
    'sha256:' + hex,
  ];
  for (const text of harmless) expect(redact(text)).toBe(text);
});

test('a rule that is disabled is not applied, and the others are', () => {
  for (const [rule, sent, kept] of secrets) {
    expect(builtinRedactor(new Set([rule])).redact(sent)).toBe(sent);
    expect(builtinRedactor(new Set([rule === 'jwt' ? 'aws-key' : 'jwt'])).redact(sent)).toBe(kept);
  }
});

test('the look at the JSON of a record misses no secret, however it is escaped', () => {
  const escaped = (text: string) =>
    JSON.stringify(text).replace(/[a-z]/gi, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  for (const [, sent] of secrets) {
    expect(mayMatch(JSON.stringify({ message: sent }))).toBe(true);
    expect(mayMatch(JSON.stringify({ message: sent }).replaceAll('/', '\\/'))).toBe(true);
    expect(mayMatch(`{"message":${escaped(sent)}}`)).toBe(true);
  }
  expect(mayMatch('{"message":"nav started"}')).toBe(false);
});

test('no text makes a rule take more than time in proportion to it', () => {
  const units = [
    ...['eyJaaaaaaaa.', 'eyJaaaaaaaa-', 'eyJ-', 'authorization:   bearer ', 'bearer   ', 'secret_access_key = '],
    ...['-----BEGIN PRIVATE KEY-----', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----x-----END ', 'glpat-', 'xoxb-'],
    ...[
      '://',
      '://:',
      '://a:b',
      ':// a@',
      `://${'a'.repeat(599)}`,
      'svc_org_0123456789abcdef',
      'ghp_',
      'AKIA',
      '/',
      ':',
    ],
  ];
  const time = (text: string) => {
    const startMs = performance.now();
    redact(text);
    mayMatch(text);
    return performance.now() - startMs;
  };
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(1_048_576 / unit.length));
    // A square would take minutes. The least of some, as the machine is busy.
    expect(Math.min(time(text), time(text), time(text)), unit).toBeLessThan(1_000);
  }
});
