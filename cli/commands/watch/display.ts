import type { ListPage } from '../../output/list.ts';
import type { View } from '../../output/view.ts';

/** Output of a watched list. */
export interface Display<T> {
  show(pages: readonly ListPage<T>[], view: View<T>): void;
  /** A request failed; the shown rows stay. */
  fail(message: string): void;
  /** Restores the terminal, before an error that ends the watch. Default: nothing to restore. */
  end?(): void;
}
