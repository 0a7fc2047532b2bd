import type { Readable } from '../data/store.ts';
import type { Size } from '../ui.ts';
import { afterKey, withText, type Input } from './input.ts';
import type { Panel } from './panel.ts';

/** An overlay that is open: what it keeps, what its keys do and what it shows. It lives outside of what draws it. */
export interface OverlayController {
  state: Readable<unknown>;
  /** True where the key was for it. */
  key(key: string): boolean;
  /** A pasted text; default: it is for nothing. */
  paste?(text: string): void;
  /** What it needs to be up to date while it is open. */
  wants?: readonly { want(): () => void }[];
  /** What it shows in that much room. */
  panel(size: Size): Panel;
}

interface Typing {
  input(): Input;
  type(input: Input): void;
  /** Keys that are not for the line. */
  moves: Readonly<Record<string, () => void>>;
}

/** The keys of an overlay that has one line to type into. */
export const typingKeys = ({ input, type, moves }: Typing): Required<Pick<OverlayController, 'key' | 'paste'>> => ({
  key(key) {
    const move = moves[key];
    const next = move ? undefined : afterKey(input(), key);
    if (next) type(next);
    else move?.();
    return next !== undefined || move !== undefined;
  },
  paste: (text) => type(withText(input(), text)),
});
