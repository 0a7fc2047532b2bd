/** What fits into `maxBytes` of UTF-8, cut between two characters, without what a text column cannot hold. */
export function cutText(text: string, maxBytes: number): string {
  const clean = text.replaceAll('\0', '\uFFFD');
  const bytes = Buffer.from(clean);
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  let end = maxBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** A program can read the token of its robot; who reads what it wrote must not be able to be that robot. */
export const withoutTokens = (text: string): string =>
  text.replaceAll(/(svc_(?:org|user|robot|enroll)_)[0-9a-f]{64}/g, '$1[redacted]');

/** The first line with as many of the last of the others as fit: how a program ended stands at the end of what it said. */
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
