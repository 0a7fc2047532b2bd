const encoder = new TextEncoder();
/** Written by each call; only how much fits is read. */
let room = new Uint8Array();

/** The longest prefix of at most `maxBytes` bytes of UTF-8 that splits no character. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  if (room.length < maxBytes) room = new Uint8Array(maxBytes);
  return text.slice(0, encoder.encodeInto(text, room.subarray(0, maxBytes)).read);
}
