import type { Readable } from '../data/store.ts';
import type { Size } from '../ui.ts';
import type { Panel } from './panel.ts';

/** An overlay that is open: what it keeps, what its keys do and what it shows. It lives outside of what draws it. */
export interface Session {
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
