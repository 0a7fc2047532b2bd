/** The text cut to `maxBytes` of UTF-8, between two characters, without NUL, which a text column cannot hold. */
export function cutText(text: string, maxBytes: number): string {
  const clean = text.replaceAll('\0', '\uFFFD');
  const bytes = Buffer.from(clean);
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  let end = maxBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/**
 * Removes token secrets: a program can read its robot's token, and a reader of its output must not be able to act as
 * the robot.
 */
export const withoutTokens = (text: string): string =>
  text.replaceAll(/(svc_(?:org|user|robot|enroll)_)[0-9a-f]{64}/g, '$1[redacted]');

/**
 * The first line, with as many of the last `lines` as fit: the reason of an exit is at the end of a program's output.
 */
export function withTail(first: string, lines: readonly string[], maxBytes: number): string {
  const kept: string[] = [];
  let left = maxBytes - Buffer.byteLength(first);
  for (const line of lines.toReversed()) {
    const cut = cutText(line, 512);
    left -= Buffer.byteLength(cut) + 1;
    if (left < 0) break;
    kept.unshift(cut);
  }
  return [first, ...kept].join('\n');
}
