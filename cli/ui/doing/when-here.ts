import type { Resource } from '../../stores/data.ts';
import { say } from '../actions/say.ts';
import type { Overlay } from '../overlays/overlay.ts';
import type { Ui } from '../ui.ts';

type Values<R> = { [K in keyof R]: R[K] extends Resource<infer T> ? T : never };

/**
 * Calls `then` as soon as all of these are known, at once where they are; says why where one cannot be had. Until then a dialog says what is waited
 * for, so that no key meant for what comes does something else; who closes it does not want it any more.
 */
export function whenHere<const R extends readonly Resource<unknown>[]>(
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
    const isHere = snapshots.every(({ value }) => value !== undefined);
    if (!isClosed && !isHere && !failed) return;
    isOver = true;
    [...watched, ...ends].forEach((end) => end());
    if (isClosed) return;
    ui.overlay.set(undefined);
    if (failed?.freshness.kind === 'failed') return say(ui, failed.freshness.trouble.message, 'bad');
    // Each is there, and is what its own resource gives.
    then(...(snapshots.map(({ value }) => value) as Values<R>));
  }
}

/** A warning where one of these is not as it is now. */
export function staleWarnings({ data }: Ui, resources: readonly Resource<unknown>[]): string[] {
  const ages = resources.flatMap((resource) => {
    const { freshness } = resource.get();
    return freshness.kind === 'stale' ? [freshness.atMs] : [];
  });
  if (ages.length === 0) return [];
  const at = new Date(Date.now() - (data.now() - Math.min(...ages)));
  return [`What is told here was so at ${at.toTimeString().slice(0, 8)}; since then asking failed.`];
}
