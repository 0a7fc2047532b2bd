/** Capacity of a close frame beside its code, in bytes of UTF-8. */
const maxReasonBytes = 123;

/**
 * Makes a text a valid close reason, even if a peer chose parts of it: removes control characters and cuts it to the
 * capacity of a close frame.
 */
export function closeReason(text: string): string {
  const plain = text.replace(/\p{C}/gu, ' ');
  let end = plain.length;
  while (Buffer.byteLength(plain.slice(0, end)) > maxReasonBytes) end -= 1;
  return plain.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}
