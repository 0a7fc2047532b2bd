/*
 * The text filter of a chunk: a Bloom filter of the trigrams of its messages, three UTF-16 units each. A search for a
 * text reads no chunk whose filter lacks a trigram of the text. Messages and texts are lower-cased one by one, as
 * `logFilter` does. One hash is enough: all trigrams of the text must be found.
 */

/** Of the largest filter. Postgres keeps its 2 KiB in the row, where reading it is cheap. A power of two. */
const maxBits = 16_384;
const minBits = 512;
/** A filter is halved as long as at most this part of its bits is set. */
const maxFill = 0.4;

/** The filter of these messages. Its bits are numbered as in Postgres' `get_bit`. */
export function buildTextFilter(messages: Iterable<string>): Buffer {
  const largest = Buffer.alloc(maxBits / 8);
  const set = (bit: number) => {
    largest[bit >>> 3] = (largest[bit >>> 3] ?? 0) | (1 << (bit & 7));
  };
  for (const message of messages) visitBits(message, set);
  let filter: Buffer = largest;
  while (filter.length * 8 > minBits) {
    const half = halfOf(filter);
    if (countBits(half) > maxFill * half.length * 8) break;
    filter = half;
  }
  return filter;
}

/**
 * The bits that the largest filter of a chunk with this text has; none for a text of fewer than three units. In a
 * filter of n bits, they are the remainders of the division by n.
 */
export function textFilterBits(text: string): number[] {
  const bits = new Set<number>();
  visitBits(text, (bit) => bits.add(bit));
  return [...bits];
}

/** Whether messages with this filter may contain the text with these bits. */
export const mayContain = (filter: Buffer, bits: readonly number[]): boolean =>
  bits.every((each) => {
    const bit = each % (filter.length * 8);
    return ((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  });

function visitBits(text: string, visit: (bit: number) => void): void {
  const lower = text.toLowerCase();
  let first = lower.charCodeAt(0);
  let second = lower.charCodeAt(1);
  for (let index = 2; index < lower.length; index += 1) {
    const third = lower.charCodeAt(index);
    const hash = Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca77) + Math.imul(third, 0xc2b2ae3d);
    visit((hash >>> 16) % maxBits);
    first = second;
    second = third;
  }
}

/** The remainders of the division by half as many bits. */
function halfOf(filter: Buffer): Buffer {
  const half = Buffer.from(filter.subarray(0, filter.length / 2));
  for (let index = 0; index < half.length; index += 1)
    half[index] = (half[index] ?? 0) | (filter[half.length + index] ?? 0);
  return half;
}

function countBits(filter: Buffer): number {
  let count = 0;
  for (const byte of filter) for (let left = byte; left > 0; left &= left - 1) count += 1;
  return count;
}
