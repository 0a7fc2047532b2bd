import fuzzysort, { type SnapshotKey } from 'fuzzysort';
import { createStore } from '../data/store.ts';
import { actionsFor, actionContext, runAction } from '../actions/available-actions.ts';
import { copy } from '../actions/copy.ts';
import { commandText } from '../change-flows/command-line.ts';
import { lineOf, type Line } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import { inputOf, inputSegments, textOf, type Input } from './input.ts';
import { blank, visibleAround } from './panel.ts';
import { namedPlaces } from './palette-places.ts';
import { typingKeys, type OverlayController } from './controller.ts';

/** One entry of the palette. */
interface Entry {
  text: string;
  keys: string;
  disabledReason?: string | undefined;
  run: () => void;
  /** The same as a `cli` command. */
  line?: readonly string[] | undefined;
}

/** Maximum number of matches; nobody reads more. */
const maxFound = 50;

/** All actions available here and all places, found by a part of the name. */
export function paletteController(ui: Ui): OverlayController {
  const { current: view } = ui.views.get();
  const context = actionContext(ui, view);
  const actions = actionsFor(ui, view)
    .sort((one, other) => useOf(one) - useOf(other))
    .map(({ action, keys, disabledReason }): Entry => ({
      text: action.title,
      keys: keys.join(' '),
      disabledReason,
      run: () => runAction(ui, action),
      ...(disabledReason === undefined && { line: action.line?.(context) }),
    }));
  /** Built at the first letter: there may be 10,000 robots. */
  let everything: SnapshotKey<Entry> | undefined;
  let all: readonly Entry[] = actions;
  let known: readonly unknown[] = [];

  const { data } = ui;
  const lists = [
    data.robots,
    data.fleets,
    data.sites,
    data.deployments,
    data.configDeployments,
    data.releases,
    data.configs,
  ];

  /** In an order that does not depend on the query: rows stay where they are while others go. */
  function found(query: string): { entries: readonly Entry[]; best?: Entry | undefined } {
    if (query.trim() === '') return { entries: actions };
    const values = lists.map((list) => list.get().value);
    if (!everything || values.some((value, index) => value !== known[index])) {
      const places = namedPlaces(ui).map(({ text, place }): Entry => ({
        text,
        keys: '',
        run: () => ui.views.go(place),
      }));
      all = [...actions, ...places];
      everything = fuzzysort.snapshot(all, { key: 'text' });
      known = values;
    }
    const best = fuzzysort.go(query, everything, { limit: maxFound, threshold: 0.3 }).map(({ obj }) => obj);
    const kept = new Set(best);
    return { entries: all.filter((entry) => kept.has(entry)), best: best[0] };
  }

  const state = createStore({ input: inputOf(), index: 0, hasMoved: false, ...found('') });

  /** Enter selects the best match, or the row that the user moved to while that matches. */
  function type(input: Input): void {
    const before = state.get();
    if (textOf(input) === textOf(before.input)) return state.set({ ...before, input });
    const now = found(textOf(input));
    const own = before.hasMoved ? now.entries.indexOf(before.entries[before.index] ?? unknown) : -1;
    const best = now.best ? now.entries.indexOf(now.best) : 0;
    state.set({ ...now, input, index: own === -1 ? best : own, hasMoved: own !== -1 });
  }

  const move = (by: number) =>
    state.update((now) => ({
      ...now,
      hasMoved: true,
      index: Math.max(0, Math.min(now.index + by, now.entries.length - 1)),
    }));
  const chosen = () => state.get().entries[state.get().index];

  const moves: Readonly<Record<string, () => void>> = {
    up: () => move(-1),
    'ctrl-p': () => move(-1),
    'shift-tab': () => move(-1),
    down: () => move(1),
    'ctrl-n': () => move(1),
    tab: () => move(1),
    pgup: () => move(-10),
    pgdn: () => move(10),
    esc: () => ui.overlay.set(undefined),
    enter() {
      const entry = chosen();
      if (!entry) return;
      ui.overlay.set(undefined);
      entry.run();
    },
    'ctrl-y'() {
      const words = chosen()?.line;
      if (!words) return;
      copy(ui, commandText(words));
    },
  };
  return {
    state,
    wants: lists,
    ...typingKeys({ input: () => state.get().input, type, moves }),
    panel({ columns, rows }) {
      const { input, index, entries } = state.get();
      const room = Math.max(1, rows - 2);
      const words = entries[index]?.line;
      const shown = visibleAround(entries, index, room).map((entry) => entryLine(entry, entry === entries[index], ui));
      return {
        title: 'Commands and views',
        lines: [
          { segments: [{ text: ': ', tone: 'accent' }, ...inputSegments(input, columns - 3)] },
          words ? lineOf(commandText(words), 'quiet') : blank,
          ...(entries.length === 0
            ? [lineOf('No matches. To find a robot, type its name, such as amr-7.', 'quiet')]
            : []),
          ...shown,
          // The dialog stays as high as it was: a row that moves is hard to follow.
          ...blanks(room - shown.length - (entries.length === 0 ? 1 : 0)),
        ],
        footer: `enter selects  ${words ? 'ctrl-y copies the line  ' : ''}esc closes`,
      };
    },
  };
}

/** No entry of a list. */
const unknown: Entry = { text: '', keys: '', run: () => undefined };

const blanks = (count: number): Line[] => Array.from({ length: Math.max(0, count) }, () => blank);

/** Actions that apply to what is selected first, then those of the list, then all others; disabled ones last. */
function useOf({ action: { id, scope, changes }, disabledReason }: ReturnType<typeof actionsFor>[number]): number {
  const group = typeof scope !== 'string' || changes ? 0 : scope !== 'everywhere' ? 1 : id.startsWith('go.') ? 3 : 2;
  return group + (disabledReason === undefined ? 0 : 10);
}

/** The reason is shown beside the name: a text, not only a colour. */
const entryLine = ({ text, keys, disabledReason }: Entry, isChosen: boolean, { theme }: Ui): Line => ({
  segments: [
    { text: isChosen ? `${theme.signs.cursor} ` : '  ', tone: 'accent' },
    { text, tone: disabledReason === undefined ? undefined : 'quiet', isInverse: isChosen },
    ...(keys === '' ? [] : [{ text: `  ${keys}`, tone: 'accent' } as const]),
    ...(disabledReason === undefined ? [] : [{ text: `  ${disabledReason}`, tone: 'warn' } as const]),
  ],
});
