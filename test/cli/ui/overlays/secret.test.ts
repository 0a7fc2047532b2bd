import { expect, test } from 'vitest';
import { showSecret } from '../../../../cli/ui/change-flows/show-secret.ts';
import { createStore } from '../../../../cli/ui/data/store.ts';
import { pressAll, shown } from '../../../support/ui-data-harness.ts';
import { fakeUi } from '../../../support/fake-ui.ts';

/** Somebody whose wishes to leave are counted. */
function startDesk(size = { columns: 100, rows: 30 }) {
  const { ui } = fakeUi();
  const left: string[] = [];
  return { left, ui: { ...ui, terminal: { ...ui.terminal, size: createStore(size), quit: () => void left.push('') } } };
}

const secret = (title: string) => ({ title, value: `value of ${title}`, note: '' });

test('a second secret waits until the first is closed', () => {
  const desk = startDesk();
  showSecret(desk.ui, secret('The first key'));
  showSecret(desk.ui, secret('The second key'));
  showSecret(desk.ui, secret('The third key'));
  expect(shown(desk)).toContain('The first key');
  expect(desk.ui.notice.get()?.text).toBe('The third key is shown when this dialog is closed.');
  for (const title of ['The first key', 'The second key', 'The third key']) {
    pressAll(desk, 'v');
    expect(shown(desk)).toContain(`value of ${title}`);
    pressAll(desk, 'esc', 'esc');
  }
  expect(desk.ui.overlay.get()).toBeUndefined();
});

test('a secret takes no key that is typed in another dialog', () => {
  const desk = startDesk();
  desk.ui.overlay.set({ kind: 'help' });
  showSecret(desk.ui, secret('The new key'));
  pressAll(desk, 'v', 'y');
  expect(shown(desk)).toContain('Search: vy');
  pressAll(desk, 'esc');
  expect(shown(desk)).toContain('The new key');
});

test('nobody leaves without having been told of a secret that is not closed', () => {
  for (const prepare of [
    (desk: ReturnType<typeof startDesk>) => desk.ui.overlay.set({ kind: 'help' }),
    (desk: ReturnType<typeof startDesk>) => desk.ui.terminal.size.set({ columns: 59, rows: 10 }),
  ]) {
    const desk = startDesk();
    prepare(desk);
    showSecret(desk.ui, secret('The new key'));
    pressAll(desk, 'ctrl-c');
    expect(desk.left).toEqual([]);
    expect(desk.ui.notice.get()?.text).toBe('The new key is still open. Quit again to discard it.');
    pressAll(desk, 'ctrl-c');
    expect(desk.left).toHaveLength(1);
  }
  const desk = startDesk();
  showSecret(desk.ui, secret('The new key'));
  pressAll(desk, 'esc', 'esc', 'q');
  expect(desk.left).toHaveLength(1);
});
