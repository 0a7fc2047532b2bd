import type { Readable } from '../data/store.ts';
import type { Size } from '../ui.ts';
import { afterKey, withText, type Input } from './input.ts';
import type { Panel } from './panel.ts';

/** An open overlay: its state, its keys and its content. It lives outside the component that draws it. */
export interface OverlayController {
  state: Readable<unknown>;
  /** True if it handled the key. */
  key(key: string): boolean;
  /** Takes a pasted text; default: ignores it. */
  paste?(text: string): void;
  /** Resources to keep up to date while it is open. */
  wants?: readonly { want(): () => void }[];
  /** Its content in that space. */
  panel(size: Size): Panel;
}

interface Typing {
  input(): Input;
  type(input: Input): void;
  /** Keys that are not input of the line. */
  moves: Readonly<Record<string, () => void>>;
}

/** The keys of an overlay with one input line. */
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
