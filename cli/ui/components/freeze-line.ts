import { robotsWithOrdersText } from '../../output/freeze-text.ts';
import { safeCell } from '../../output/safe.ts';
import { ago } from '../robot/state.ts';
import { screenOf } from '../screens/index.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import { age, isStale } from './age.ts';
import { cutLine, type Line } from './line.ts';

/** Who froze all deployments, when and why, on screens that keep it up to date; undefined unless they are frozen. */
export function freezeLine(ui: Ui, view: View, columns: number): Line | undefined {
  const { data, theme } = ui;
  if (!screenOf(view.place.screen).wants(ui, view).includes(data.freeze)) return undefined;
  const { value, freshness } = data.freeze.get();
  if (!value?.frozen) return undefined;
  const said = [
    `all deployments frozen ${ago(age(value.frozen_at))} by ${value.frozen_by ?? 'unknown'}`,
    robotsWithOrdersText(value),
    value.reason,
  ].filter((part) => part !== undefined);
  const line: Line = {
    segments: [{ text: safeCell(` ${theme.signs.degraded} ${said.join(' · ')}`), tone: 'warn' }],
    isDim: isStale(ui, freshness),
  };
  return cutLine(line, columns, theme.signs.ellipsis);
}
