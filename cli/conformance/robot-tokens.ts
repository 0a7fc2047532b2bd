import { randomBytes } from 'node:crypto';

interface Ask {
  at: number;
  nonce: string;
  authorization: string;
}

/** The token of one robot, and the next one once it is requested. */
export interface RobotTokens {
  /** The valid token. A next one is valid beside it, and replaces it at its first use. */
  present: string;
  /** Every request for another token. */
  asks: Ask[];
  /** Whether the token is valid; the first use of the next token revokes the previous one. */
  admits(authorization: string): boolean;
  /** Issues a token that replaces all others. */
  issue(): string;
  /** The next token; the same for the same nonce. */
  next(nonce: string): string;
}

const newToken = () => `svc_robot_${randomBytes(32).toString('hex')}`;
const visible = /^[!-~]{32,128}$/;

/** The nonce of a token request. @throws Error that says what is wrong with it */
export function readNonce(body: string): string {
  const { nonce } = JSON.parse(body) as { nonce?: unknown };
  if (typeof nonce === 'string' && visible.test(nonce)) return nonce;
  throw new Error('nonce must be of 32 to 128 visible characters');
}

export function robotTokens(): RobotTokens {
  let asked: { nonce: string; token: string } | undefined;
  const tokens: RobotTokens = {
    present: '',
    asks: [],
    admits(authorization) {
      if (asked && authorization === `Bearer ${asked.token}`) tokens.present = asked.token;
      return authorization === `Bearer ${tokens.present}`;
    },
    issue() {
      asked = undefined;
      return (tokens.present = newToken());
    },
    next(nonce) {
      if (asked?.nonce !== nonce) asked = { nonce, token: newToken() };
      return asked.token;
    },
  };
  return tokens;
}
