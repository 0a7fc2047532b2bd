import { clockTime } from '../../output/time.ts';
import type { Resource } from '../data/data.ts';
import { notify } from '../actions/notify.ts';
import { isStale } from '../components/age.ts';
import type { Overlay } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';

type Values<R> = { [K in keyof R]: R[K] extends Resource<infer T> ? T : never };

/**
 * Calls `then` once all of these are loaded, at once if they are; reports why if one fails. Until then a dialog shows
 * that they are loading, so that no key meant for the result does something else; closing it cancels. All are kept up
 * to date until the resulting dialogs are closed.
 */
export function whenLoaded<const R extends readonly Resource<unknown>[]>(
  ui: Ui,
  resources: R,
  then: (...values: Values<R>) => void,
): void {
  const waiting: Overlay = { kind: 'text', title: 'Loading', text: 'Waiting for the response of the service.' };
  let isOver = false;
  ui.overlay.set(waiting);
  const ends = resources.map((resource) => resource.want());
  const watched = [...resources, ui.overlay].map((readable) => readable.subscribe(look));
  look();

  function look(): void {
    if (isOver) return;
    const snapshots = resources.map((resource) => resource.get());
    const isClosed = ui.overlay.get() !== waiting;
    const failed = snapshots.find(({ value, freshness }) => value === undefined && freshness.kind === 'failed');
    // A value from an earlier load may be outdated.
    const isHere = snapshots.every(({ value, freshness }) => value !== undefined && freshness.kind !== 'loading');
    if (!isClosed && !isHere && !failed) return;
    isOver = true;
    watched.forEach((end) => end());
    if (!isClosed) {
      ui.overlay.set(undefined);
      if (failed?.freshness.kind === 'failed') notify(ui, failed.freshness.failure.message, 'bad');
      // Each value is loaded, and comes from its own resource.
      else then(...(snapshots.map(({ value }) => value) as Values<R>));
    }
    whenClosed(ui, () => ends.forEach((end) => end()));
  }
}

/** Calls `then` when no dialog is open. */
export function whenClosed({ overlay }: Ui, then: () => void): void {
  if (!overlay.get()) return then();
  const end = overlay.subscribe(() => {
    if (overlay.get()) return;
    end();
    then();
  });
}

/** A warning if one of these is stale, by the same rule as in lists and their header. */
export function staleWarnings({ data }: Ui, resources: readonly Resource<unknown>[]): string[] {
  const ages = resources.flatMap((resource) => {
    const { freshness } = resource.get();
    return freshness.kind !== 'loading' && 'atMs' in freshness && isStale({ data }, freshness) ? [freshness.atMs] : [];
  });
  if (resources.some((resource) => resource.get().freshness.kind === 'loading'))
    return ['This may be out of date: the service has not responded yet.'];
  if (ages.length === 0) return [];
  const at = new Date(Date.now() - (data.now() - Math.min(...ages)));
  return [`This is as of ${clockTime(at)}: the service has not responded since.`];
}
