import { clockTime } from '../../output/time.ts';
import type { Resource } from '../data/data.ts';
import { notify } from '../actions/notify.ts';
import { isStale } from '../components/age.ts';
import type { Overlay } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';

type Values<R> = { [K in keyof R]: R[K] extends Resource<infer T> ? T : never };

/**
 * Calls `then` as soon as all of these are known, at once where they are; says why where one cannot be had. Until then a dialog says what is waited
 * for, so that no key meant for what comes does something else; who closes it does not want it any more. All of them are kept up to date until the
 * dialogs that come of it are closed.
 */
export function whenLoaded<const R extends readonly Resource<unknown>[]>(
  ui: Ui,
  resources: R,
  then: (...values: Values<R>) => void,
): void {
  const waiting: Overlay = { kind: 'text', title: 'Asking the service', text: 'It comes as soon as it has answered.' };
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
    // A value that was loaded earlier is not what is so now.
    const isHere = snapshots.every(({ value, freshness }) => value !== undefined && freshness.kind !== 'loading');
    if (!isClosed && !isHere && !failed) return;
    isOver = true;
    watched.forEach((end) => end());
    if (!isClosed) {
      ui.overlay.set(undefined);
      if (failed?.freshness.kind === 'failed') notify(ui, failed.freshness.failure.message, 'bad');
      // Each is there, and is what its own resource gives.
      else then(...(snapshots.map(({ value }) => value) as Values<R>));
    }
    whenClosed(ui, () => ends.forEach((end) => end()));
  }
}

/** Calls that as soon as no dialog is open. */
export function whenClosed({ overlay }: Ui, then: () => void): void {
  if (!overlay.get()) return then();
  const end = overlay.subscribe(() => {
    if (overlay.get()) return;
    end();
    then();
  });
}

/** A warning where one of these is not as it is now, by what lists and their header go by too. */
export function staleWarnings({ data }: Ui, resources: readonly Resource<unknown>[]): string[] {
  const ages = resources.flatMap((resource) => {
    const { freshness } = resource.get();
    return freshness.kind !== 'loading' && 'atMs' in freshness && isStale({ data }, freshness) ? [freshness.atMs] : [];
  });
  if (resources.some((resource) => resource.get().freshness.kind === 'loading'))
    return ['What is told here may be of an earlier time: the service has not answered yet.'];
  if (ages.length === 0) return [];
  const at = new Date(Date.now() - (data.now() - Math.min(...ages)));
  return [`What is told here was so at ${clockTime(at)}; since then there was no answer.`];
}
