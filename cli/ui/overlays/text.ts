import { createStore } from '../data/store.ts';
import { copy } from '../actions/copy.ts';
import { paragraph } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import type { Overlay } from './overlay.ts';
import type { OverlayController } from './controller.ts';

/** A text to read. */
export function textController(ui: Ui, { title, text }: Extract<Overlay, { kind: 'text' }>): OverlayController {
  const top = createStore(0);
  /** Lines in all and per page, as last drawn. */
  let [count, page] = [0, 1];
  const by = (rows: number) => top.update((at) => Math.max(0, Math.min(at + rows, count - page)));
  const moves: Readonly<Record<string, () => void>> = {
    j: () => by(1),
    down: () => by(1),
    enter: () => by(1),
    k: () => by(-1),
    up: () => by(-1),
    space: () => by(page),
    pgdn: () => by(page),
    pgup: () => by(-page),
    'ctrl-d': () => by(page >> 1),
    'ctrl-u': () => by(-(page >> 1)),
    g: () => by(-Infinity),
    home: () => by(-Infinity),
    G: () => by(Infinity),
    end: () => by(Infinity),
    esc: () => ui.overlay.set(undefined),
    q: () => ui.overlay.set(undefined),
    y: () => copy(ui, text, title),
  };
  return {
    state: top,
    key(key) {
      moves[key]?.();
      return key in moves;
    },
    panel({ columns, rows }) {
      const lines = paragraph(text, columns);
      [count, page] = [lines.length, rows];
      const at = Math.max(0, Math.min(top.get(), count - page));
      const place = count > page ? `${at + 1}-${Math.min(at + page, count)} of ${count}  ` : '';
      return { title, lines: lines.slice(at, at + page), footer: `${place}y copies  esc closes` };
    },
  };
}
