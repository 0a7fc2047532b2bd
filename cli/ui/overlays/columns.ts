import { createStore } from '../data/store.ts';
import { lineOf } from '../components/line.ts';
import { screenOf } from '../screens/index.ts';
import { changeList } from '../table/kept-list.ts';
import { columnsToShow } from '../table/shown-columns.ts';
import type { Ui } from '../ui.ts';
import type { OverlayController } from './controller.ts';

interface Choice {
  title: string;
  isShown: boolean;
}

/** Chooses the columns of the list and their order; each change is drawn at once, esc restores the former ones. */
export function columnsController(ui: Ui): OverlayController {
  const { current: view } = ui.views.get();
  const before = view.list;
  const table = screenOf(view.place.screen).table?.(ui, view);
  const shown = (table ? columnsToShow(table, before) : []).filter(({ isWide }) => before.isWide || !(isWide ?? false));
  const hidden = (table?.columns ?? []).filter(({ title }) => !shown.some((each) => each.title === title));
  const state = createStore({
    index: 0,
    choices: [
      ...shown.map(({ title }): Choice => ({ title, isShown: true })),
      ...hidden.map(({ title }): Choice => ({ title, isShown: false })),
    ],
  });
  const close = () => ui.overlay.set(undefined);
  const to = (index: number) =>
    state.update((now) => ({ ...now, index: Math.max(0, Math.min(index, now.choices.length - 1)) }));
  const by = (step: number) => to(state.get().index + step);

  function change(choices: readonly Choice[], index: number): void {
    const columns = choices.filter(({ isShown }) => isShown).map(({ title }) => title);
    // A list without columns would show nothing.
    if (columns.length === 0) return;
    state.set({ choices: [...choices], index });
    changeList(ui, { columns, isWide: false });
  }

  function toggle(): void {
    const { choices, index } = state.get();
    change(choices.map((each, at) => (at === index ? { ...each, isShown: !each.isShown } : each)), index); // prettier-ignore
  }

  function shift(step: 1 | -1): void {
    const { choices, index } = state.get();
    const [one, other] = [choices[index], choices[index + step]];
    if (!one || !other) return;
    change(choices.map((each, at) => (at === index ? other : at === index + step ? one : each)), index + step); // prettier-ignore
  }

  const moves: Readonly<Record<string, () => void>> = {
    up: () => by(-1),
    k: () => by(-1),
    down: () => by(1),
    j: () => by(1),
    home: () => to(0),
    g: () => to(0),
    end: () => to(Infinity),
    G: () => to(Infinity),
    space: toggle,
    K: () => shift(-1),
    J: () => shift(1),
    enter: close,
    esc() {
      changeList(ui, { columns: before.columns, isWide: before.isWide });
      close();
    },
  };
  return {
    state,
    key(key) {
      moves[key]?.();
      return key in moves;
    },
    panel() {
      const { choices, index } = state.get();
      return {
        title: 'Columns',
        focus: index,
        lines: choices.map(({ title, isShown }, at) => ({
          ...lineOf(`${at === index ? ui.theme.signs.cursor : ' '} [${isShown ? 'x' : ' '}] ${title}`),
          isCursor: at === index,
        })),
        footer: 'space shows or hides  J K move  enter keeps  esc restores',
      };
    },
  };
}
