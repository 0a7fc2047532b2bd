import { actionsFor } from '../actions/index.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { widthOf } from '../../output/text-width.ts';
import { cutLine, type Line } from './line.ts';

/** The most important keys here, as many as fit, with the key for help; a notice replaces them. */
export function statusBarLine(ui: Ui, view: View, columns: number): Line {
  const notice = ui.notice.get();
  if (notice)
    return cutLine({ segments: [{ text: ` ${notice.text}`, tone: notice.tone }] }, columns, ui.theme.signs.ellipsis);
  const ranked = actionsFor(ui, view)
    .flatMap(({ action: { id, title, rank }, keys: [key], disabledReason }) =>
      // Disabled actions are in brackets: colour alone carries no information.
      key === undefined || rank === undefined
        ? []
        : [{ id, key, title: title.toLowerCase(), rank, brackets: disabledReason === undefined ? '' : '()' }],
    )
    .sort((one, other) => one.rank - other.rank);
  const isHelp = ({ id }: { id: string }) => id === 'app.help';
  const help = ranked.filter(isHelp);
  const others = ranked.filter((each) => !isHelp(each));
  const widthOfAll = (shown: typeof ranked) =>
    shown.reduce((sum, { key, title, brackets }) => sum + widthOf(`${key} ${title}${brackets}`) + 2, 1);
  let count = 0;
  while (count < others.length && widthOfAll([...others.slice(0, count + 1), ...help]) <= columns) count += 1;
  return {
    segments: [...others.slice(0, count), ...help].flatMap(({ key, title, brackets: [open = '', close = ''] }) => [
      { text: ` ${open}` },
      { text: key, tone: open === '' ? 'accent' : 'quiet' } as const,
      { text: ` ${title}${close} `, tone: 'quiet' } as const,
    ]),
  };
}
