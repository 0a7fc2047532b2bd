import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../transport/backoff.ts';
import { messageOf, NetworkError, send } from '../transport/http.ts';
import type { SocketOptions } from '../transport/link-socket.ts';
import { refusalOf } from './refusal.ts';

export interface RotationSettings {
  /** Without a trailing slash. */
  backendUrl: string;
  socketOptions: SocketOptions;
  /** Checks that a new token can be stored. Rejects if not. */
  check(): Promise<void>;
  /** Replaces `present` with `next` on disk. Rejects if it cannot; then nothing has changed. */
  keep(present: string, next: string): Promise<void>;
  tell(message: string): void;
  onFailed(message: string): void;
  /** A new token is on disk and in use. */
  onWell(): void;
}

export interface TokenRotation {
  /** The token to use now. */
  readonly token: string;
  /** Starts a rotation, unless one is running. */
  begin(): void;
  stop(): void;
}

/** Then the rotation fails; the service requests it again with the next link. */
const giveUpAfterMs = 10 * 60_000;
const maxReplyBytes = 64 * 1024;

/**
 * Replaces the token of this robot: requested → on disk → in use → previous token revoked. A failure before the new
 * token is on disk keeps the present one, which stays valid until the new one is used. So a crash at any moment leaves
 * a valid token on disk.
 */
export function tokenRotation(present: string, settings: RotationSettings): TokenRotation {
  const stopping = new AbortController();
  let token = present;
  let isGoing = false;

  async function rotate(): Promise<void> {
    await settings.check();
    const nonce = randomBytes(32).toString('hex');
    const next = await ask(nonce);
    await settings.keep(token, next);
    token = next;
    settings.tell('the token of this robot was replaced');
    settings.onWell();
    // With the new token: its first use revokes the previous one, even if the link stays up for months.
    await ask(nonce).catch(failed('the token that this robot had before is good still, for a day at most'));
  }

  const failed = (what: string) => (error: unknown) => {
    if (!stopping.signal.aborted) settings.onFailed(`${what}: ${messageOf(error)}`);
  };

  async function ask(nonce: string): Promise<string> {
    const began = performance.now();
    for (const waitMs of backoffMs()) {
      const said = await askOnce(nonce);
      if (said.next !== undefined) return said.next;
      if (said.isFinal || performance.now() - began + waitMs > giveUpAfterMs) throw new Error(said.why);
      await pause(Math.max(waitMs, said.minWaitMs), undefined, { signal: stopping.signal, ref: false });
    }
    throw new Error('no answer');
  }

  async function askOnce(nonce: string) {
    const { backendUrl, socketOptions } = settings;
    try {
      const { status, headers, body } = await send({
        method: 'POST',
        url: new URL(`${backendUrl}/agent/token`),
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...(socketOptions.userAgent && { 'User-Agent': socketOptions.userAgent }),
        },
        body: JSON.stringify({ nonce }),
        proxy: socketOptions.proxy,
        authorities: socketOptions.authorities,
        maxReplyBytes,
        signal: stopping.signal,
      });
      if (status === 200)
        return { next: tokenIn(body), why: 'the answer is not the service’s', isFinal: false, minWaitMs: 0 };
      return { next: undefined, why: `the service answered ${status}`, ...refusalOf({ status, headers }) };
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      return { next: undefined, why: messageOf(error), isFinal: false, minWaitMs: 0 };
    }
  }

  return {
    get token() {
      return token;
    },
    begin() {
      if (isGoing || stopping.signal.aborted) return;
      isGoing = true;
      rotate()
        .catch(failed('the token of this robot was not replaced'))
        .finally(() => (isGoing = false));
    },
    stop: () => stopping.abort(),
  };
}

/** Undefined if the body is not from the service: a proxy's page may have the status 200 too. */
function tokenIn(body: Buffer): string | undefined {
  try {
    const { data } = JSON.parse(body.toString('utf8')) as { data?: { robot_token?: unknown } | null };
    const token = data?.robot_token;
    return typeof token === 'string' && /^svc_robot_[0-9a-f]{64}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
