import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandText, commandWords } from '../../../../cli/ui/change-flows/command-line.ts';
import { viewCommands } from '../../../../cli/ui/change-flows/view-command.ts';
import { fakeUi, fleet, robot } from '../../../support/fake-ui.ts';

test.each([['Hall 3'], ["Kim's robots"], ['$HOME `id` "x"'], ['日本語'], ['a\\b'], ['plain-1.8.2']])(
  'a shell reads %j as it is',
  (word) => {
    const line = commandText(commandWords({ command: 'sites create', args: [word] })).replace(
      /^cli /,
      "printf '%s\\n' ",
    );
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`sites\ncreate\n${word}\n`);
  },
);

test.each([
  ['', 'robots list'],
  ['fleet:=pickers', 'robots list --fleet Pickers'],
  ['fleet:pick', 'robots list --fleet Pickers'],
  ['fleet:"hall 3"', 'robots list --fleet Hall 3'],
  ['fleet:i', undefined],
  ['!fleet:pickers', undefined],
  ['fleet:pickers amr', undefined],
])('the filter %j is a line of cli only where that lists the same', (filter, line) => {
  const { ui, feeds } = fakeUi({ place: { screen: 'robots', filter } });
  feeds.fleets.fill([fleet('f1', 'north', 'Pickers'), fleet('f2', 'north', 'Lifters'), fleet('f3', 'north', 'Hall 3')]);
  expect(viewCommands(ui, ui.views.get().current, [])[0]?.join(' ')).toBe(line);
});

test('the topics of a robot are a line that lists them', () => {
  const { ui, feeds } = fakeUi({ place: { screen: 'robot', robotId: 'a' } });
  feeds.robots.fill([robot('a', { name: 'amr-7' })]);
  ui.views.setTab('Topics');
  expect(viewCommands(ui, ui.views.get().current, [])).toEqual([['robots', 'topics', 'amr-7', 'list']]);
});

test('several robots are a line each, and where one line is for all there is one', () => {
  const { ui, feeds } = fakeUi();
  feeds.robots.fill([robot('a', { name: 'amr-7' }), robot('b', { name: 'amr-8' }), robot('c')]);
  expect(viewCommands(ui, ui.views.get().current, ['a', 'b'])).toEqual([
    ['robots', 'show', 'amr-7'],
    ['robots', 'show', 'amr-8'],
  ]);
  ui.views.setList({ marks: new Set(['a', 'b']) });
  ui.views.go({ screen: 'logs' });
  expect(viewCommands(ui, ui.views.get().current, [])).toEqual([['robots', 'logs', 'amr-7', 'amr-8', '--follow']]);
  ui.views.go({ screen: 'releases' });
  expect(viewCommands(ui, ui.views.get().current, ['r', 's'])).toEqual([['releases', 'list']]);
});
