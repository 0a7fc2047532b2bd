import { keysOf } from '../actions/keymap.ts';
import { screenOf, tabbedScreens } from '../screens/index.ts';
import type { Ui } from '../ui.ts';
import type { ScreenId, View } from '../views.ts';
import type { Line, Segment } from './line.ts';

/** A tab of the bar at the top, and its cells. */
interface ScreenTab {
  screen: ScreenId;
  key: string;
  name: string;
  isCurrent: boolean;
  /** The first cell, and the cell after the last. */
  from: number;
  to: number;
}

/** Id of the action that opens a screen. */
export const goTo = (screen: ScreenId): string => `go.${screen}`;

/**
 * The tabs of all screens. If there is no room for their names, they have shorter ones; if there is still none, the
 * last have only their keys. The current one is always named.
 */
export function screenTabs({ settings }: Pick<Ui, 'settings'>, view: View, columns: number): ScreenTab[] {
  const { id, under = id } = screenOf(view.place.screen);
  const tabs = tabbedScreens.map(({ id: screen, digit, name, short }) => {
    const [key = ''] = keysOf({ id: goTo(screen), keys: [digit] }, settings);
    return { screen, key, name, short, isCurrent: screen === under };
  });
  const inShort = tabs.map(({ short, ...tab }) => ({ ...tab, name: short }));
  const others = inShort.flatMap(({ isCurrent }, index) => (isCurrent ? [] : [index])).reverse();
  const unnamed = others.map((_, count) =>
    inShort.map((tab, index) => (others.slice(0, count + 1).includes(index) ? { ...tab, name: '' } : tab)),
  );
  const choices = [tabs, inShort, ...unnamed].map(placed);
  return choices.find((choice) => (choice.at(-1)?.to ?? 0) < columns) ?? choices.at(-1) ?? [];
}

/** One cell is between two tabs, before the first and after the last. */
function placed(tabs: readonly Omit<ScreenTab, 'from' | 'to'>[]): ScreenTab[] {
  let from = 1;
  return tabs.map(({ screen, key, name, isCurrent }) => {
    const tab = { screen, key, name, isCurrent, from, to: from + textOf({ key, name }).length };
    from = tab.to + 1;
    return tab;
  });
}

const textOf = ({ key, name }: Pick<ScreenTab, 'key' | 'name'>) => [key, name].filter((text) => text !== '').join(' ');

/** The bar of tabs; the current one is in brackets, visible without colours too. */
export function screenTabsLine(ui: Pick<Ui, 'settings'>, view: View, columns: number): Line {
  const tabs = screenTabs(ui, view, columns);
  const between = (before: ScreenTab | undefined, after: ScreenTab | undefined): Segment =>
    before?.isCurrent ? { text: ']', tone: 'strong' } : { text: after?.isCurrent ? '[' : ' ', tone: 'strong' };
  return {
    segments: [
      ...tabs.flatMap((tab, index): Segment[] => [
        between(tabs[index - 1], tab),
        ...(tab.isCurrent
          ? [{ text: textOf(tab), tone: 'strong' as const }]
          : [
              { text: tab.key, tone: 'accent' as const },
              { text: textOf(tab).slice(tab.key.length), tone: 'quiet' as const },
            ]),
      ]),
      between(tabs.at(-1), undefined),
    ],
  };
}
