import type { Ui } from './ui.ts';

/** Of a view that was left longer ago than so many others nothing more is kept. */
const maxViews = 20;

/** What a screen keeps of each of its views, outside of what draws it: the same as long as one goes to and fro. */
export function perView<S>(make: () => S): (ui: Ui, viewKey: number) => S {
  const keptOf = new WeakMap<Ui, Map<number, S>>();
  return (ui, viewKey) => {
    const views = keptOf.get(ui) ?? new Map<number, S>();
    keptOf.set(ui, views);
    const kept = views.get(viewKey) ?? make();
    // The one that was asked for last is the last to go.
    views.delete(viewKey);
    views.set(viewKey, kept);
    const [oldest] = views.keys();
    if (views.size > maxViews && oldest !== undefined) views.delete(oldest);
    return kept;
  };
}
