import { expect, test } from 'vitest';
import { screenTabs, screenTabsLine } from '../../../../cli/ui/components/screen-tabs.ts';
import type { Place } from '../../../../cli/ui/views.ts';
import { headlessUi } from '../../../support/headless-ui.ts';
import type { Settings } from '../../../../cli/ui/settings.ts';
import type { Data } from '../../../../cli/ui/data/data.ts';

/** The bar of tabs at a place, as text. */
function bar(columns: number, place: Place = { screen: 'robots' }, settings: Partial<Settings> = {}): string {
  const { ui } = headlessUi({ data: {} as Data, place, settings });
  const { segments } = screenTabsLine(ui, ui.views.get().current, columns);
  return segments
    .map(({ text }) => text)
    .join('')
    .trimEnd();
}

test('every screen has its key and name, and the current one is in brackets', () => {
  expect(bar(120)).toBe(
    ' 1 Overview[2 Robots]3 Deployments 4 Releases 5 Configs 6 Sites 7 Keys 8 Logs 9 Activity 0 Users',
  );
});

test('where there is no room names are shorter, then the last have none, and the current one always has', () => {
  expect(bar(80)).toBe(' 1 Over[2 Robots]3 Deploy 4 Rel 5 Conf 6 Sites 7 Keys 8 Logs 9 Act 0 Users');
  expect(bar(60)).toBe(' 1 Over[2 Robots]3 Deploy 4 Rel 5 Conf 6 Sites 7 Keys 8 9 0');
  expect(bar(60, { screen: 'activity' })).toBe(' 1 Over 2 Robots 3 Deploy 4 Rel 5 Conf 6 Sites 7 8[9 Act]0');
});

test('a robot is under the tab of robots, and a deployment under that of deployments', () => {
  expect(bar(80, { screen: 'robot', robotId: 'amr-007' })).toContain('[2 Robots]');
  expect(bar(80, { screen: 'deployment', deployment: { deploymentKind: 'release', id: 'd' } })).toContain('[3 Deploy]');
});

test('a key of ui.toml stands in its tab, and a screen without a key has its name', () => {
  const keys = { 'go.robots': ['R'], 'go.logs': [] };
  expect(bar(120, { screen: 'overview' }, { keys })).toContain('[1 Overview]R Robots 3');
  expect(bar(120, { screen: 'overview' }, { keys })).toContain('7 Keys Logs 9');
});

test('a tab has the cells on which it is drawn', () => {
  const { ui } = headlessUi({ data: {} as Data, place: { screen: 'logs' } });
  const view = ui.views.get().current;
  for (const columns of [60, 80, 120]) {
    const text = screenTabsLine(ui, view, columns)
      .segments.map((segment) => segment.text)
      .join('');
    for (const { from, to, key, name } of screenTabs(ui, view, columns))
      expect(text.slice(from, to)).toBe([key, name].join(' ').trim());
  }
});
