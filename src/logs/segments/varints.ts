/** Writes whole numbers of 0 to 2^53 - 1, 7 bits a byte, lowest first; all but the last byte have the highest bit set. */
export class VarintWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  number(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Its length in bytes, then its UTF-8. */
  text(value: string): void {
    const bytes = Buffer.byteLength(value);
    this.number(bytes);
    this.#reserve(bytes);
    this.#length += this.#bytes.write(value, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    this.#bytes = Buffer.concat([this.#bytes], 2 * (this.#length + more));
  }

  end(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

export class VarintReader {
  readonly #bytes: Buffer;
  #place = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Where the next number begins, in bytes. */
  get place(): number {
    return this.#place;
  }

  get isAtEnd(): boolean {
    return this.#place >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 0x80) {
      const byte = this.#bytes[this.#place++];
      if (byte === undefined) throw new RangeError('a number ends early');
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const end = this.number() + this.#place;
    const text = this.#bytes.toString('utf8', this.#place, end);
    this.#place = end;
    return text;
  }
}
