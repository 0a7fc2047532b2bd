import { IncomingMessage } from 'node:http';

/**
 * Interval of the check that the caller is still connected. If a request is refused before its body arrives, Node never
 * signals its end. Its timer would otherwise keep the request for as long as a body may take.
 */
const lookEveryMs = 30_000;

/**
 * A request of the listener. Once there is an upgrade listener, Node treats every `Upgrade` header as an upgrade and
 * does not read the body. Clients that offer HTTP/2 over plain text in their first request (`Upgrade: h2c`, as in Java)
 * would lose their body. Here only a WebSocket is an upgrade; other offers are ignored, as RFC 9110 §7.8 allows.
 */
export class Message extends IncomingMessage {
  private timer: NodeJS.Timeout | undefined;
  private onLate: (() => void) | undefined;

  /** Calls `onLate`, once, if the rest of the body does not arrive in time. */
  expectBody(ms: number, onLate: () => void): void {
    this.onLate = onLate;
    this.giveUpAfter(ms);
    this.once('close', () => clearTimeout(this.timer));
  }

  /** Restarts the timeout of the body with this value. */
  giveUpAfter(ms: number): void {
    clearTimeout(this.timer);
    if (this.complete || this.destroyed || this.socket.destroyed) return;
    const lookMs = Math.min(ms, lookEveryMs);
    const look = () => (ms > lookMs ? this.giveUpAfter(ms - lookMs) : this.onLate?.());
    this.timer = setTimeout(look, lookMs);
  }

  // No initialiser: the base class sets the flag before the fields of this class exist.
  declare private offersUpgrade: boolean | null;

  /** The parser sets it before the headers are known, and reads it afterwards. */
  get upgrade(): boolean {
    return (
      this.offersUpgrade === true && (this.method === 'CONNECT' || /\bwebsocket\b/i.test(this.headers.upgrade ?? ''))
    );
  }
  set upgrade(value: boolean | null) {
    this.offersUpgrade = value;
  }
}
