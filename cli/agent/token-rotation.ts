import { randomBytes } from 'node:crypto';
import { messageOf } from '../transport/http.ts';
import type { SocketOptions } from '../transport/link-socket.ts';
import { lastingRequest } from './lasting-request.ts';

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
    await ask(nonce).catch(failed('the previous token of this robot stays valid for at most a day'));
  }

  const failed = (what: string) => (error: unknown) => {
    if (!stopping.signal.aborted) settings.onFailed(`${what}: ${messageOf(error)}`);
  };

  function ask(nonce: string): Promise<string> {
    const { backendUrl, socketOptions } = settings;
    return lastingRequest({
      method: 'POST',
      path: '/agent/token',
      body: { nonce },
      token,
      backendUrl,
      socketOptions,
      maxReplyBytes,
      giveUpAfterMs,
      signal: stopping.signal,
      read: tokenIn,
    });
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

function tokenIn(body: Buffer): string | undefined {
  try {
    const { data } = JSON.parse(body.toString('utf8')) as { data?: { robot_token?: unknown } | null };
    const token = data?.robot_token;
    return typeof token === 'string' && /^svc_robot_[0-9a-f]{64}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
