import { createStore } from '../data/store.ts';
import { widthOf } from '../../output/text-width.ts';
import { screenOf } from '../screens/index.ts';
import { filterFields } from '../table/filter-fields.ts';
import { filterFault } from '../table/filter-words.ts';
import { searchOf } from '../tail/search.ts';
import { isTail } from '../tail/sources.ts';
import type { Ui } from '../ui.ts';
import { inputOf, inputSegments, textOf, type Input } from './input.ts';
import { typingKeys, type OverlayController } from './controller.ts';

/** The filter of the list, updated by each key; esc restores the previous one. */
export function filterController(ui: Ui): OverlayController {
  const { current: view } = ui.views.get();
  const before = view.list.filter;
  const state = createStore(inputOf(before));
  const table = screenOf(view.place.screen).table?.(ui, view);
  const fields = table ? filterFields(table) : [];
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
    panel({ columns }) {
      const text = textOf(state.get());
      const fault = isTail(view) ? searchOf(text)?.fault() : filterFault(text, fields, table?.values);
      const room = Math.max(8, Math.floor(columns / 2));
      // A fault has the room that the text does not need.
      const width = fault === undefined ? room : Math.min(room, widthOf(text) + 1);
      return {
        title: 'Filter',
        place: 'foot',
        ...(fault !== undefined && { tone: 'warn' }),
        lines: [{ segments: [{ text: '/', tone: 'accent' }, ...inputSegments(state.get(), width)] }],
        footer:
          fault ??
          (text === ''
            ? isTail(view)
              ? 'text or regular expression  !hide  n N jump'
              : `text  !text  ${fields.map((field) => `${field}:`).join('  ')}`.trimEnd()
            : 'enter keeps the filter  esc restores the previous one'),
      };
    },
  };
}
