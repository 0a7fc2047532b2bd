import type { Ui } from './ui.ts';

/** State of more views than this is discarded, least recently used first. */
const maxViews = 20;

/**
 * State that a screen keeps for each view, outside its components: the same object while the user moves between views.
 */
export function perView<S>(make: () => S): (ui: Ui, viewKey: number) => S {
  const keptOf = new WeakMap<Ui, Map<number, S>>();
  return (ui, viewKey) => {
    const views = keptOf.get(ui) ?? new Map<number, S>();
    keptOf.set(ui, views);
    const kept = views.get(viewKey) ?? make();
    // The most recently used view is discarded last.
    views.delete(viewKey);
    views.set(viewKey, kept);
    const [oldest] = views.keys();
    if (views.size > maxViews && oldest !== undefined) views.delete(oldest);
    return kept;
  };
}
