import { stripVTControlCharacters } from 'node:util';
import { Box } from 'ink';
import { render } from 'ink-testing-library';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { afterKey, inputOf, inputSegments, textOf, withText } from '../../../../cli/ui/overlays/input.ts';
import { OverlayView } from '../../../../cli/ui/overlays/OverlayView.tsx';
import { askForSignIn } from '../../../../cli/ui/change-flows/sign-in.ts';
import { handleKeystroke } from '../../../../cli/ui/actions/key-dispatch.ts';
import { factories } from '../../../support/factories.ts';
import { openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';

test('a line of text is typed, moved in and deleted by characters as people see them', () => {
  const keys = ['a', '日', '👩‍🔧', 'left', 'backspace', 'space', 'b', 'home', 'delete', 'end', 'c'];
  const typed = keys.reduce((input, key) => afterKey(input, key) ?? input, inputOf());
  expect(textOf(typed)).toBe(' b👩‍🔧c');
  expect(textOf(afterKey(inputOf('one two  '), 'ctrl-w') ?? inputOf())).toBe('one ');
  expect(textOf(afterKey(inputOf('one two'), 'ctrl-u') ?? inputOf())).toBe('');
  expect(afterKey(inputOf('one'), 'enter')).toBeUndefined();
});

test('what is pasted is one line without what a terminal would obey', () => {
  expect(textOf(withText(inputOf('a'), 'b\r\nc\u001b[2J'))).toBe('ab c[2J');
});

test('a long line shows where its cursor is, and is never wider than its room', () => {
  const input = inputOf('日本語'.repeat(20));
  const parts = inputSegments(input, 11);
  expect(stringWidth(parts.map(({ text }) => text).join(''))).toBeLessThanOrEqual(11);
  expect(parts[1]).toEqual({ text: ' ', isInverse: true });
  expect(inputSegments({ ...input, cursor: 0 }, 11)[1]).toEqual({ text: '日', isInverse: true });
});

test('the list of commands finds actions and robots by a part of their names, and says why one cannot be done', async () => {
  await using world = await startWorld();
  await factories(world).robot('amr-007');
  await using desk = await openDesk(world);
  const { ui } = desk;
  want(ui.data.robots, ui.data.fleets);
  await expect.poll(() => ui.data.robots.get().value?.items).toHaveLength(1);
  pressAll(desk, ':');
  type(desk, 'depl');
  expect(shown(desk)).toContain('Deploy a release…  d  read-only: W allows changes');
  pressAll(desk, 'ctrl-u');
  type(desk, 'amr7');
  expect(shown(desk)).toContain('robot amr-007');
  pressAll(desk, 'enter');
  expect(ui.views.get().current.place).toEqual({ screen: 'robot', robotId: ui.data.robots.get().value?.items[0]?.id });
});

test('help is searched by a word', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world);
  pressAll(desk, '?');
  expect(shown(desk)).toContain('Robots');
  type(desk, 'half a page');
  expect(shown(desk)).toContain('ctrl-d               Half a page down');
  expect(shown(desk)).not.toContain('Quit');
  pressAll(desk, 'esc');
  expect(desk.ui.overlay.get()).toBeUndefined();
});

test('the filter follows each key, enter keeps it, and esc goes out of it before it goes back', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world, { place: { screen: 'overview' } });
  const { ui } = desk;
  ui.views.go({ screen: 'robots' });
  pressAll(desk, '/');
  type(desk, 'amr');
  expect(ui.views.get().current.list.filter).toBe('amr');
  pressAll(desk, 'esc');
  expect(ui.views.get().current.list.filter).toBe('');
  pressAll(desk, '/', 'x', 'enter', 'esc');
  expect(ui.views.get().current).toMatchObject({ place: { screen: 'robots' }, list: { filter: '' } });
  pressAll(desk, 'esc');
  expect(ui.views.get().current.place.screen).toBe('overview');
});

test('a pasted text presses no keys, and is typed where there is a line to type it in', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world);
  handleKeystroke(desk.ui, { text: 'qqq' });
  expect(desk.left).toEqual([]);
  pressAll(desk, '/');
  handleKeystroke(desk.ui, { text: 'amr' });
  expect(desk.ui.views.get().current.list.filter).toBe('amr');
  pressAll(desk, 'ctrl-c');
  expect(desk.left).toEqual([0]);
});

test('a token that is good no more asks for another, and what was open comes back as it was', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const [lost, next] = [await made.userToken('operator'), await made.userToken('operator', 'kim@example.com')];
  await using desk = await openDesk(world, { token: lost });
  const { ui } = desk;
  const end = askForSignIn(ui);
  want(ui.data.robots);
  await expect.poll(() => ui.data.robots.get().freshness.kind).toBe('live');
  pressAll(desk, 'W', '/');
  type(desk, 'amr');
  const { id } = (await world.call('GET', '/api/tokens')).body.items.find(
    ({ last_four }: { last_four: string }) => last_four === lost.slice(-4),
  );
  await world.call('POST', `/api/tokens/${id}/revoke`);
  await expect.poll(() => shown(desk)).toContain('Token');
  type(desk, next);
  expect(shown(desk)).not.toContain(next);
  pressAll(desk, 'enter');
  await expect.poll(() => ui.overlay.get()?.kind).toBe('filter');
  type(desk, '-7');
  expect(ui.views.get().current.list.filter).toBe('amr-7');
  await expect.poll(() => ui.data.robots.get().freshness.kind).toBe('live');
  end();
});

test('a dialog is drawn whole in 60 by 15, each line as wide as its frame', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world);
  const { ui } = desk;
  ui.overlay.set({ kind: 'text', title: 'nav.limits', text: '{"名":"日本語"}\n'.repeat(30) });
  const drawn = render(
    <Box width={60} height={15}>
      <OverlayView ui={ui} columns={60} rows={15} />
    </Box>,
  );
  const lines = stripVTControlCharacters(drawn.lastFrame() ?? '').split('\n');
  expect(lines).toHaveLength(15);
  expect(new Set(lines.map((line) => stringWidth(line)))).toEqual(new Set([60]));
  expect(lines[0]).toContain('┌─ nav.limits ─');
  expect(lines[14]).toContain('1-13 of 31  y copies  esc closes');
  drawn.unmount();
});

test('a profile that ui.toml calls read-only stays so', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world, { settings: { readOnlyProfiles: ['default'] } });
  pressAll(desk, 'W');
  expect(desk.ui.writes.get()).toBe(false);
  expect(desk.ui.notice.get()?.text).toContain('ui.toml makes the profile default read-only');
});

test('keys of ui.toml take the place of an action’s own', async () => {
  await using world = await startWorld();
  await using desk = await openDesk(world, { settings: { keys: { 'app.help': ['q'] } } });
  pressAll(desk, 'q');
  expect(desk.ui.overlay.get()?.kind).toBe('help');
  expect(desk.left).toEqual([]);
});
