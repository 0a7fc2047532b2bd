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
  const actions = actionsFor(ui, view).map(({ action, keys, disabledReason }): Entry => ({
    text: action.title,
    keys: keys.join(' '),
    disabledReason,
    run: () => runAction(ui, action),
    ...(disabledReason === undefined && { line: action.line?.(context) }),
  }));
  /** Built at the first letter: there may be 10,000 robots. */
  let everything: SnapshotKey<Entry> | undefined;
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

  function found(query: string): readonly Entry[] {
    if (query.trim() === '') return actions;
    const values = lists.map((list) => list.get().value);
    if (!everything || values.some((value, index) => value !== known[index])) {
      const places = namedPlaces(ui).map(({ text, place }): Entry => ({
        text,
        keys: '',
        run: () => ui.views.go(place),
      }));
      everything = fuzzysort.snapshot([...actions, ...places], { key: 'text' });
      known = values;
    }
    return fuzzysort.go(query, everything, { limit: maxFound, threshold: 0.3 }).map(({ obj }) => obj);
  }

  const state = createStore({ input: inputOf(), index: 0, entries: found('') });
  const type = (input: Input) =>
    state.set(
      textOf(input) === textOf(state.get().input)
        ? { ...state.get(), input }
        : { input, index: 0, entries: found(textOf(input)) },
    );
  const move = (by: number) =>
    state.update((now) => ({ ...now, index: Math.max(0, Math.min(now.index + by, now.entries.length - 1)) }));
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
      return {
        title: 'Commands and views',
        lines: [
          { segments: [{ text: ': ', tone: 'accent' }, ...inputSegments(input, columns - 3)] },
          words ? lineOf(commandText(words), 'quiet') : blank,
          ...(entries.length === 0
            ? [lineOf('No matches. To find a robot, type its name, such as amr-7.', 'quiet')]
            : []),
          ...visibleAround(entries, index, room).map((entry) => entryLine(entry, entry === entries[index], ui)),
        ],
        footer: `enter selects  ${words ? 'ctrl-y copies the line  ' : ''}esc closes`,
      };
    },
  };
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
