import { WebSocket } from 'ws';

/** URLs opened since the list was last emptied. */
export const openedByPlatform: string[] = [];

/** A socket like a platform's: it reports no pings, has no headers, and cannot pause. */
export class PlatformSocket {
  readonly #socket: WebSocket;
  readonly addEventListener: WebSocket['addEventListener'];
  constructor(url: string, protocols: string[]) {
    openedByPlatform.push(url);
    this.#socket = new WebSocket(url, protocols);
    this.addEventListener = this.#socket.addEventListener.bind(this.#socket);
  }
  get readyState() {
    return this.#socket.readyState;
  }
  set binaryType(type: 'arraybuffer') {
    this.#socket.binaryType = type;
  }
  send(data: string | Uint8Array) {
    this.#socket.send(data);
  }
  close(code?: number) {
    // As every platform does.
    if (code !== undefined && code !== 1000 && (code < 3000 || code > 4999))
      throw new Error(`no code for a page: ${code}`);
    this.#socket.close(code);
  }
}
