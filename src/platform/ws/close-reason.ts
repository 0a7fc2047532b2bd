/** What a close frame holds beside its code, in bytes of UTF-8. */
const maxReasonBytes = 123;

/** A text as a close reason, also one with parts that a peer chose: without control characters, and cut to what a close frame holds. */
export function closeReason(text: string): string {
  const plain = text.replace(/\p{C}/gu, ' ');
  let end = plain.length;
  while (Buffer.byteLength(plain.slice(0, end)) > maxReasonBytes) end -= 1;
  return plain.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}
