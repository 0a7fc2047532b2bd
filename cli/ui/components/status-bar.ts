import { actionsFor } from '../actions/index.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { widthOf } from '../../output/text-width.ts';
import { cutLine, type Line, type Segment } from './line.ts';

/** The most important keys here, as many as fit; a notice replaces them. */
export function statusBarLine(ui: Ui, view: View, columns: number): Line {
  const notice = ui.notice.get();
  if (notice)
    return cutLine({ segments: [{ text: ` ${notice.text}`, tone: notice.tone }] }, columns, ui.theme.signs.ellipsis);
  const ranked = actionsFor(ui, view)
    .flatMap(({ action, keys, disabledReason }) => {
      const [key] = keys;
      return key === undefined || action.rank === undefined
        ? []
        : [{ key, title: action.title, rank: action.rank, disabledReason }];
    })
    .sort((one, other) => one.rank - other.rank);
  const segments: Segment[] = [];
  let left = columns - 1;
  for (const { key, title, disabledReason } of ranked) {
    // Disabled actions are in brackets: colour alone carries no information.
    const [open, close] = disabledReason === undefined ? ['', ''] : ['(', ')'];
    const text = `${open}${key} ${title.toLowerCase()}${close}`;
    if (widthOf(text) + 2 > left) break;
    left -= widthOf(text) + 2;
    const isAtHand = disabledReason === undefined;
    segments.push({ text: ` ${open}` }, { text: key, tone: isAtHand ? 'accent' : 'quiet' });
    segments.push({ text: ` ${title.toLowerCase()}${close} `, tone: 'quiet' });
  }
  return { segments };
}
