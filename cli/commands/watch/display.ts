import type { ListPage } from '../../output/list.ts';
import type { View } from '../../output/view.ts';

/** Where the answers of a watched list go. */
export interface Display<T> {
  show(pages: readonly ListPage<T>[], view: View<T>): void;
  /** A question got no answer; what was shown stays. */
  fail(message: string): void;
}
