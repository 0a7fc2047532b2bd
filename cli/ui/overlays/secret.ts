import { createStore } from '../data/store.ts';
import { notify } from '../actions/notify.ts';
import { paragraph } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import type { Overlay } from './overlay.ts';
import { blank } from './panel.ts';
import type { OverlayController } from './controller.ts';

/** A value that the service shows once: no single key discards it. */
export function secretController(
  ui: Ui,
  { title, value, note, over }: Extract<Overlay, { kind: 'secret' }>,
): OverlayController {
  const state = createStore({ isShown: false, isCopied: false, isWarned: false });
  function leave(): void {
    const { isCopied, isWarned } = state.get();
    if (isCopied || isWarned) {
      over();
      ui.overlay.set(undefined);
    } else state.update((now) => ({ ...now, isWarned: true }));
  }
  return {
    state,
    key(key) {
      if (key === 'v') state.update((now) => ({ ...now, isShown: !now.isShown }));
      else if (key === 'y') {
        const isCopied = ui.terminal.copy(value);
        state.update((now) => ({ ...now, isCopied, isWarned: false }));
        if (isCopied) notify(ui, 'Copied, if this terminal lets programs copy. Check the clipboard.', 'warn');
      } else if (key === 'esc' || key === 'ctrl-c') leave();
      else return false;
      return true;
    },
    panel({ columns }) {
      const { isShown, isCopied, isWarned } = state.get();
      return {
        title,
        tone: 'warn',
        lines: [
          ...paragraph(isShown ? value : '*'.repeat(value.length), columns, 'strong'),
          blank,
          ...paragraph('It is shown only once, and cannot be shown again.', columns, 'warn'),
          ...paragraph(note, columns),
          ...(isWarned && !isCopied
            ? [blank, ...paragraph('It is not copied. Press esc again to close it without a copy.', columns, 'bad')]
            : []),
        ],
        footer: `v ${isShown ? 'hides' : 'shows'} it  y copies it  esc ${isCopied || isWarned ? 'closes' : 'twice closes'}`,
      };
    },
  };
}
