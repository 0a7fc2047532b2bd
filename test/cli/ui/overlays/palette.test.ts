import { expect, test } from 'vitest';
import { screenOf } from '../../../../cli/ui/screens/index.ts';
import { tableModel } from '../../../../cli/ui/table/model.ts';
import { fakeUi, fleet, robotNamed, site } from '../../../support/fake-ui.ts';
import { pressAll, shown, type } from '../../../support/ui-data-harness.ts';

function open(names: readonly string[] = ['amr-7', 'amr-70', 'bot-7']) {
  const fake = fakeUi({ place: { screen: 'robots' } });
  fake.feeds.robots.fill(names.map((name) => robotNamed(name)));
  pressAll(fake, ':');
  /** The rows of the list, without keys and reasons. */
  const rows = () => shown(fake).split('\n').slice(3, -1).map((row) => row.trimEnd()); // prettier-ignore
  return { ...fake, rows, chosen: () => rows().find((row) => row.startsWith('▸ ')) };
}

test('actions for what is selected come first, disabled ones last with their reasons, and screens between', () => {
  const scene = open();
  const { rows } = scene;
  const at = (text: string) => rows().findIndex((row) => row.includes(text));
  expect(at('Logs')).toBeLessThan(at('Down'));
  pressAll(scene, ...Array.from({ length: 10 }, () => 'pgdn'));
  expect(rows().findLast((row) => row !== '')).toMatch(/ {2}(colors are off|read-only: W allows changes)$/);
  expect(at('Overview')).toBeLessThan(at('read-only: W'));
});

test('rows that stay keep their order and the dialog its height while one types, and enter takes the best match', () => {
  const scene = open();
  const height = scene.rows().length;
  const orders: string[][] = [];
  for (const letter of 'amr-70') {
    type(scene, letter);
    expect(scene.rows()).toHaveLength(height);
    orders.push(scene.rows().filter((row) => row !== '').map((row) => row.slice(2))); // prettier-ignore
  }
  for (const [index, order] of orders.entries()) {
    const before = orders[index - 1] ?? order;
    expect(before.filter((row) => order.includes(row))).toEqual(order.filter((row) => before.includes(row)));
  }
  expect(scene.chosen()).toBe('▸ robot amr-70');
  pressAll(scene, 'enter');
  expect(scene.ui.views.get().current.place).toEqual({ screen: 'robot', robotId: 'id-amr-70' });
});

test('the row that one moved to stays chosen while it matches', () => {
  const scene = open();
  type(scene, 'amr');
  pressAll(scene, 'down');
  const moved = scene.chosen();
  type(scene, '-');
  expect(scene.chosen()).toBe(moved);
});

test('a fleet and a site open exactly their own robots, and fleets of one name are told apart by their sites', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'robots' } });
  feeds.sites.fill([site('n', 'North "1"'), site('s', 'North "1" b')]);
  feeds.fleets.fill([fleet('a', 'n', 'A'), fleet('b', 's', 'A'), fleet('c', 'n', 'Packers')]);
  feeds.robots.fill(
    ['a', 'b', 'c'].map((id) => robotNamed(`amr-${id}`, { fleet_id: id, site_id: id === 'b' ? 's' : 'n' })),
  );
  const robotsOf = (text: string) => {
    type({ ui }, `:${text}`);
    pressAll({ ui }, 'enter');
    const view = ui.views.get().current;
    const table = screenOf(view.place.screen).table?.(ui, view);
    return table && tableModel(ui, view, table).ids;
  };
  expect(robotsOf('fleet North "1"/A')).toEqual(['id-amr-a']);
  expect(robotsOf('fleet North "1" b/A')).toEqual(['id-amr-b']);
  expect(robotsOf('fleet Packers')).toEqual(['id-amr-c']);
  expect(robotsOf('site North "1"')).toEqual(['id-amr-a', 'id-amr-c']);
});
