const encoder = new TextEncoder();

/** The longest prefix of at most `maxBytes` bytes of UTF-8 that splits no character. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read);
}
