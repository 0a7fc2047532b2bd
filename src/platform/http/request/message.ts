import { IncomingMessage } from 'node:http';

/**
 * Whether the caller is still there is looked at so often: of a request that was refused before its body was here Node never tells that it is over,
 * and what waits for it would hold it as long as a body may take.
 */
const lookEveryMs = 30_000;

/**
 * A request of the listener. Node takes every offer of another protocol for an upgrade as soon as somebody listens to upgrades, and reads no
 * body then; clients that offer HTTP/2 over plain text with their first call (`Upgrade: h2c`, Java's among them) would lose theirs. Here only
 * a WebSocket is an upgrade; other offers are passed over, as RFC 9110 §7.8 allows.
 */
export class Message extends IncomingMessage {
  private timer: NodeJS.Timeout | undefined;
  private onLate: (() => void) | undefined;

  /** Calls `onLate`, once, if the rest of the body is not here in time. */
  expectBody(ms: number, onLate: () => void): void {
    this.onLate = onLate;
    this.giveUpAfter(ms);
    this.once('close', () => clearTimeout(this.timer));
  }

  /** Lets the body take so long from now on. */
  giveUpAfter(ms: number): void {
    clearTimeout(this.timer);
    if (this.complete || this.destroyed || this.socket.destroyed) return;
    const lookMs = Math.min(ms, lookEveryMs);
    const look = () => (ms > lookMs ? this.giveUpAfter(ms - lookMs) : this.onLate?.());
    this.timer = setTimeout(look, lookMs);
  }

  // No initialiser: the base class sets the flag before fields of ours exist.
  declare private offersUpgrade: boolean | null;

  /** Set by the parser before the headers are known, and read after. */
  get upgrade(): boolean {
    return (
      this.offersUpgrade === true && (this.method === 'CONNECT' || /\bwebsocket\b/i.test(this.headers.upgrade ?? ''))
    );
  }
  set upgrade(value: boolean | null) {
    this.offersUpgrade = value;
  }
}
