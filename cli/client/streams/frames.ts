/** Bytes of a binary frame: an ArrayBuffer from a browser, a Buffer from `ws`. */
export function bytesOf(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new TextEncoder().encode(String(data));
}

/** Text of a text frame. */
export const textOf = (data: unknown): string =>
  typeof data === 'string' ? data : new TextDecoder().decode(bytesOf(data));

/** Fields of a text frame; undefined for an unknown format, which is ignored like frames of later versions. */
export function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' && frame !== null ? (frame as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
