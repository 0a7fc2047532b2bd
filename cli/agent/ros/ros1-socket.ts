import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { TcpAddress, TcpSocket } from '@foxglove/ros1';
import { maxRosMessageBytes } from './source.ts';

interface Filter {
  /** Whether any listener wants the next message of the topic. */
  wants(topic: string): boolean;
  /** A message was skipped because it is too large. */
  tooLarge(topic: string, bytes: number): void;
}

/**
 * The connection to a publisher, in front of the library. Unwanted and oversized messages are skipped, neither kept nor
 * decoded. The library receives whole messages, each with its length before it; the first is the connection header.
 */
export class PublisherSocket extends EventEmitter implements TcpSocket {
  readonly #socket = new Socket();
  readonly #host: string;
  readonly #port: number;
  readonly #filter: Filter;
  #topic = '';
  #isHeader = true;
  /** The message format according to the first header. */
  #format: string | undefined;
  #isSpent = false;
  /** Bytes still to come of the length or of the message. */
  #missing = 4;
  #inMessage = false;
  #isKept = true;
  #chunks: Buffer[] = [];

  constructor({ host, port }: { host: string; port: number }, filter: Filter) {
    super();
    this.#host = host;
    this.#port = port;
    this.#filter = filter;
    for (const event of ['connect', 'close', 'end', 'timeout', 'error'] as const)
      this.#socket.on(event, (...args: unknown[]) => void this.emit(event, ...args));
    this.#socket.on('data', (chunk) => this.#take(chunk));
  }

  async remoteAddress(): Promise<TcpAddress> {
    return { address: this.#host, port: this.#port };
  }

  async localAddress(): Promise<TcpAddress | undefined> {
    const { localAddress: address, localPort: port } = this.#socket;
    return address !== undefined && port !== undefined ? { address, port } : undefined;
  }

  async fd(): Promise<undefined> {
    return undefined;
  }

  async connected(): Promise<boolean> {
    return !this.#socket.destroyed && this.#socket.localAddress !== undefined;
  }

  /**
   * Starts over: the library reconnects with the same socket. @throws Error once the messages have another format,
   * which the library would decode as the former one
   */
  async connect(): Promise<void> {
    if (this.#isSpent) throw new Error('the publisher sends messages of another type now');
    [this.#isHeader, this.#inMessage, this.#missing, this.#isKept, this.#chunks] = [true, false, 4, true, []];
    await new Promise<void>((resolve, reject) => {
      this.#socket.once('error', reject).connect(this.#port, this.#host, () => {
        this.#socket.off('error', reject).setKeepAlive(true, 60_000);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#socket.destroy();
  }

  /** A subscriber writes only its header, which names the topic. */
  async write(data: Uint8Array): Promise<void> {
    this.#topic =
      fieldsOf(Buffer.from(data))
        .find((field) => field.startsWith('topic='))
        ?.slice('topic='.length) ?? '';
    await new Promise<void>((resolve, reject) =>
      this.#socket.write(data, (error) => (error ? reject(error) : resolve())),
    );
  }

  async setNoDelay(isOn?: boolean): Promise<void> {
    this.#socket.setNoDelay(isOn);
  }

  #take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isSpent;) {
      const part = chunk.subarray(at, at + this.#missing);
      at += part.length;
      this.#missing -= part.length;
      if (this.#isKept) this.#chunks.push(part);
      if (this.#missing > 0) continue;
      if (this.#inMessage) this.#endMessage();
      else this.#beginMessage();
    }
  }

  #beginMessage(): void {
    const bytes = Buffer.concat(this.#chunks).readUInt32LE();
    this.#isKept = this.#isHeader || this.#filter.wants(this.#topic);
    if (bytes > maxRosMessageBytes) {
      this.#isKept = false;
      if (this.#isHeader) this.#socket.destroy(new Error('the publisher speaks no TCPROS'));
      else this.#filter.tooLarge(this.#topic, bytes);
    }
    if (!this.#isKept) this.#chunks = [];
    [this.#missing, this.#inMessage] = [bytes, true];
    if (bytes === 0) this.#endMessage();
  }

  #endMessage(): void {
    const message = Buffer.concat(this.#chunks);
    // A copy in its own memory: the library reads to the end of the memory that the array is a part of.
    if (this.#isHeader ? this.#isNews(message) : this.#isKept) this.emit('data', Uint8Array.from(message));
    [this.#missing, this.#inMessage, this.#isHeader, this.#isKept, this.#chunks] = [4, false, false, true, []];
  }

  /**
   * Whether to pass a header to the library. It would read a later header as a message, and decode all messages by the
   * first.
   */
  #isNews(header: Buffer): boolean {
    const format = fieldsOf(header)
      .filter((field) => /^(md5sum|type)=/.test(field))
      .sort()
      .join();
    const isFirst = this.#format === undefined;
    this.#format ??= format;
    this.#isSpent = format !== this.#format;
    if (this.#isSpent) this.#socket.destroy();
    return isFirst;
  }
}

/** The `name=value` fields of a header, with its length before it. */
function fieldsOf(header: Buffer): string[] {
  const fields: string[] = [];
  for (let at = 4; at + 4 <= header.length;) {
    const end = at + 4 + header.readUInt32LE(at);
    fields.push(header.toString('utf8', at + 4, end));
    at = end;
  }
  return fields;
}
