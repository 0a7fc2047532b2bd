import { createStore } from '../data/store.ts';
import { actionsFor } from '../actions/available-actions.ts';
import { fitTo } from '../../output/text-width.ts';
import { lineOf, type Line } from '../components/line.ts';
import { screenOf } from '../screens/index.ts';
import type { Action } from '../actions/action.ts';
import type { Ui } from '../ui.ts';
import { inputOf, inputSegments, textOf, type Input } from './input.ts';
import { blank } from './panel.ts';
import { typingKeys, type OverlayController } from './controller.ts';

const keysWidth = 20;

/** The actions available here, with their keys; typed words search them. */
export function helpController(ui: Ui): OverlayController {
  const { current: view } = ui.views.get();
  const entries = actionsFor(ui, view);
  /** What is of this screen alone comes first. */
  const groups: readonly [string, (action: Action) => boolean][] = [
    [screenOf(view.place.screen).title, ({ scope }) => typeof scope !== 'string'],
    ['Live logs', ({ scope }) => scope === 'logs'],
    ['Lists', ({ scope }) => scope === 'lists'],
    ['Everywhere', ({ scope, id }) => scope === 'everywhere' && !isOfTab(id)],
    ['Screens', ({ id }) => isOfTab(id)],
  ];
  const state = createStore({ input: inputOf(), top: 0 });
  /** Lines in all and per page, as last drawn. */
  let [count, page] = [0, 1];
  const by = (rows: number) =>
    state.update((now) => ({ ...now, top: Math.max(0, Math.min(now.top + rows, count - page)) }));
  const type = (input: Input) => state.set({ input, top: 0 });

  function lines(query: string): Line[] {
    const words = query.toLowerCase().split(/\s+/);
    return groups.flatMap(([title, isOf]) => {
      const own = entries.filter(
        ({ action, keys }) =>
          isOf(action) &&
          words.every((word) => `${action.title} ${action.id} ${keys.join(' ')}`.toLowerCase().includes(word)),
      );
      return own.length === 0
        ? []
        : [
            lineOf(title, 'strong'),
            ...own.map(({ action, keys, disabledReason }) => entryLine(action.title, keys, disabledReason)),
            blank,
          ];
    });
  }

  const moves: Readonly<Record<string, () => void>> = {
    up: () => by(-1),
    down: () => by(1),
    pgup: () => by(-page),
    pgdn: () => by(page),
    esc: () => ui.overlay.set(undefined),
    enter: () => ui.overlay.set(undefined),
  };
  return {
    state,
    ...typingKeys({ input: () => state.get().input, type, moves }),
    panel({ columns, rows }) {
      const { input, top } = state.get();
      const found = lines(textOf(input));
      [count, page] = [found.length, Math.max(1, rows - 2)];
      const at = Math.max(0, Math.min(top, count - page));
      return {
        title: 'Help',
        lines: [
          { segments: [{ text: 'Search: ', tone: 'accent' }, ...inputSegments(input, columns - 9)] },
          blank,
          ...(count === 0 ? [lineOf('No matches.', 'quiet')] : found.slice(at, at + page)),
        ],
        footer: `${count > page ? `${at + 1}-${Math.min(at + page, count)} of ${count}  ` : ''}up down scroll  type to search  esc closes`,
      };
    },
  };
}

const isOfTab = (id: string) => id.startsWith('go.');

const entryLine = (title: string, keys: readonly string[], disabledReason: string | undefined): Line => ({
  segments: [
    { text: `  ${fitTo(keys.join(' '), keysWidth, '')} `, tone: 'accent' },
    { text: title, tone: disabledReason === undefined ? undefined : 'quiet' },
    ...(disabledReason === undefined ? [] : [{ text: `  ${disabledReason}`, tone: 'warn' } as const]),
  ],
});
