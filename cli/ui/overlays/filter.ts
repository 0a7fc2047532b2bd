import { createStore } from '../data/store.ts';
import { screenOf } from '../screens/index.ts';
import type { Ui } from '../ui.ts';
import { inputOf, inputSegments, textOf, type Input } from './input.ts';
import { typingKeys, type OverlayController } from './controller.ts';

/** The filter of the list, updated by each key; esc restores the previous one. */
export function filterController(ui: Ui): OverlayController {
  const { current: view } = ui.views.get();
  const before = view.list.filter;
  const state = createStore(inputOf(before));
  const fields = Object.keys(screenOf(view.place.screen).table?.(ui, view)?.fields ?? {});
  const close = () => ui.overlay.set(undefined);
  function change(next: Input): void {
    state.set(next);
    ui.views.setList({ filter: textOf(next) });
  }
  return {
    state,
    ...typingKeys({
      input: state.get,
      type: change,
      moves: {
        enter: close,
        esc() {
          ui.views.setList({ filter: before });
          close();
        },
      },
    }),
    panel: ({ columns }) => ({
      title: 'Filter',
      place: 'foot',
      lines: [
        {
          segments: [
            { text: '/', tone: 'accent' },
            ...inputSegments(state.get(), Math.max(8, Math.floor(columns / 2))),
          ],
        },
      ],
      footer: [
        textOf(state.get()) === ''
          ? `text  !text  ${fields.map((field) => `${field}:`).join('  ')}`.trimEnd()
          : 'enter keeps the filter  esc restores the previous one',
      ].join(''),
    }),
  };
}
