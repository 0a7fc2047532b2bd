import { randomBytes } from 'node:crypto';

interface Ask {
  at: number;
  nonce: string;
  authorization: string;
}

/** The token of one robot, and the next one where it asked for it. */
export interface RobotTokens {
  /** The one that is good; a next one is beside it, until that is used first. */
  present: string;
  /** Every try to get another one. */
  asks: Ask[];
  /** Whether this is good; the first use of the next one ends the one before. */
  admits(authorization: string): boolean;
  /** Puts another one in the place of all that were. */
  issue(): string;
  /** The next one; the same again for the same nonce. */
  next(nonce: string): string;
}

const newToken = () => `svc_robot_${randomBytes(32).toString('hex')}`;
const visible = /^[!-~]{32,128}$/;

/** The nonce of a request for another token. @throws Error which says what is wrong with it */
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
