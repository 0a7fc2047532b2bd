import { expect, test } from 'vitest';
import { robotTable } from '../../../../cli/ui/robot/tables.ts';
import { fakeUi, robotNamed } from '../../../support/fake-ui.ts';

test('what a robot runs says that there is a newer revision as soon as that is known', () => {
  const proof = { config_id: 'c-1', revision: 2, at: '2026-11-21T09:00:00Z', deployment_id: 'd-1' };
  const { ui, feeds } = fakeUi({ place: { screen: 'robot', robotId: 'id-amr-007' } });
  feeds.robots.fill([robotNamed('amr-007', { reported: { releases: {}, configs: { 'nav/speed': proof } } })]);
  const table = robotTable(ui, ui.views.get().current, 'Config');
  const versions = () => {
    const rows: readonly unknown[] = table?.source.get().value ?? [];
    return rows.map((row) => table?.columns.find(({ title }) => title === 'Version')?.text(row));
  };
  expect(versions()).toEqual(['#2']);
  feeds.configs.fill([{ id: 'c-1', revision: 3 } as never]);
  expect(versions()).toEqual(['#2, newest #3']);
});
