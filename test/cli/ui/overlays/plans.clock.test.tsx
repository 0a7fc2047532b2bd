import { stripVTControlCharacters } from 'node:util';
import { Box } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test, vi } from 'vitest';
import { CliError } from '../../../../cli/command-line/errors.ts';
import { OverlayView } from '../../../../cli/ui/overlays/OverlayView.tsx';
import { handleKeystroke } from '../../../../cli/ui/actions/key-dispatch.ts';
import { openSignIn } from '../../../../cli/ui/change-flows/sign-in.ts';
import type { Plan } from '../../../../cli/ui/overlays/overlay.ts';
import { createStore } from '../../../../cli/ui/data/store.ts';
import { confirm, pressAll, shown, type } from '../../../support/ui-data-harness.ts';
import { fakeUi } from '../../../support/fake-ui.ts';

/** A plan that is open and seen and asks for the name `pickers`, and a terminal that keeps what is asked of it. */
function openPlan(facts: Plan['facts'] = [], asks: Plan['confirm'] = { kind: 'type', text: 'pickers' }) {
  const { ui, clock } = fakeUi();
  const size = createStore({ columns: 100, rows: 30 });
  const asked: string[] = [];
  const keep = (what: string) => () => void asked.push(what);
  const terminal = { ...ui.terminal, size, suspend: keep('suspend'), quit: keep('quit'), redraw: keep('redraw') };
  const run = vi.fn(async () => 'done');
  const desk = { ui: { ...ui, terminal }, passMs: (ms: number) => void (clock.nowMs += ms) };
  ui.writes.set(true);
  ui.overlay.set({
    kind: 'plan',
    plan: { title: 'Deploy', facts, warnings: [], line: ['deploy'], confirm: asks, run },
  });
  expect(shown(desk)).toContain('Deploy');
  return { desk, size, asked, run };
}

test('what a plan tells is told as it is while somebody reads it', async () => {
  const { desk } = openPlan();
  let online = 7;
  const { overlay } = desk.ui;
  const open = overlay.get();
  if (open?.kind !== 'plan') throw new Error('no plan is open');
  const plan = {
    ...open.plan,
    get facts() {
      return [{ label: 'Online', text: String(online) }];
    },
  };
  overlay.set({ kind: 'plan', plan });
  const drawn = render(
    <Box width={60} height={15}>
      <OverlayView ui={desk.ui} columns={60} rows={15} />
    </Box>,
  );
  const frame = () => stripVTControlCharacters(drawn.lastFrame() ?? '');
  expect(frame()).toContain('Online   7');
  online = 6;
  await expect.poll(frame).toContain('Online   6');
  drawn.unmount();
});

test('a plan that is still open when changes are ended confirms nothing', () => {
  const { desk, run } = openPlan([], { kind: 'enter' });
  desk.ui.writes.set(false);
  confirm(desk);
  expect(shown(desk)).toContain('Changes are no longer allowed. Press esc, then W to allow them.');
  expect(run).not.toHaveBeenCalled();
});

test('three seconds in which nobody could look are begun again', async () => {
  vi.useFakeTimers();
  try {
    const { desk, size, asked, run } = openPlan();
    type(desk, 'pickers');
    pressAll(desk, 'enter', 'ctrl-z');
    expect(asked).toEqual(['suspend']);
    expect(shown(desk)).not.toContain('Begins in');

    pressAll(desk, 'enter');
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(1_000);
    expect(shown(desk)).toContain('The countdown was interrupted, and stopped.');

    confirm(desk);
    size.set({ columns: 59, rows: 30 });
    vi.advanceTimersByTime(1_000);
    size.set({ columns: 100, rows: 30 });
    expect(shown(desk)).toContain('The countdown stopped because the plan was hidden.');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(run).not.toHaveBeenCalled();

    confirm(desk);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(run).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('where a terminal is too small keys do nothing that would have to be seen', () => {
  const { desk, size, asked } = openPlan();
  size.set({ columns: 60, rows: 14 });
  pressAll(desk, 'p', 'enter', 'esc', 'ctrl-l', 'ctrl-z', 'q', 'ctrl-c');
  handleKeystroke(desk.ui, { text: 'pickers' });
  expect(asked).toEqual(['redraw', 'suspend', 'quit', 'quit']);
  size.set({ columns: 60, rows: 15 });
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('Type exactly: pickers');
});

test('an enter that is held, bounces or was typed before the plan was seen confirms nothing', () => {
  const { desk, run } = openPlan([], { kind: 'enter' });
  pressAll(desk, 'enter', 'enter', 'enter', 'enter');
  expect(shown(desk)).toContain('Enter was pressed too soon to have read this.');
  // As a keyboard repeats it after its first wait.
  desk.passMs(500);
  for (let times = 0; times < 40; times += 1) {
    desk.passMs(30);
    pressAll(desk, 'enter');
  }
  expect(run).not.toHaveBeenCalled();
  const { overlay } = desk.ui;
  const plan = overlay.get();
  overlay.set(undefined);
  desk.passMs(1_000);
  overlay.set(plan);
  pressAll(desk, 'enter');
  expect(run).not.toHaveBeenCalled();
  confirm(desk);
  expect(run).toHaveBeenCalledOnce();
});

test('what failed is confirmed anew by who has seen that, typed text or not', async () => {
  const { desk, run } = openPlan([], { kind: 'enter' });
  run.mockRejectedValue({ message: 'it broke', code: 'conflict' });
  confirm(desk);
  await expect.poll(() => shown(desk)).toContain('it broke');
  pressAll(desk, 'enter', 'enter');
  expect(run).toHaveBeenCalledOnce();
  confirm(desk);
  expect(run).toHaveBeenCalledTimes(2);
});

test.each([
  [false, 'done', ''],
  [true, 'Deploy: it broke', 'it broke'],
])('a plan that ends while a sign-in covers it comes back if it failed: %s', async (isFailing, said, left) => {
  const { desk, run } = openPlan([], { kind: 'enter' });
  const { ui } = desk;
  let end: () => void = () => undefined;
  run.mockReturnValue(
    new Promise((resolve, reject) => {
      end = () => (isFailing ? reject(new CliError('it broke', { code: 'conflict' })) : resolve('done'));
    }),
  );
  confirm(desk);
  expect(shown(desk)).toContain('In progress');
  openSignIn(ui, 'Token rejected');
  end();
  await expect.poll(() => ui.notice.get()?.text).toBe(said);
  expect(shown(desk)).toContain('Sign in');
  pressAll(desk, 'esc');
  expect(shown(desk)).toContain(left);
  expect(ui.overlay.get()?.kind).toBe(isFailing ? 'plan' : undefined);
});

test('an accent is the same letter, composed or not', () => {
  const { desk } = openPlan([], { kind: 'type', text: 'tre\u0300s' });
  type(desk, 'tr\u00e8s');
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('Starts in 3 s.');
  pressAll(desk, 'esc');
});

test('a choice is found with and without its accents, and nothing found is said', async () => {
  const { ui } = fakeUi();
  const choices = [{ value: 'a', text: 'fleet tre\u0300s' }];
  const field = { name: 'target', label: 'Target', kind: 'choice', choices } as const;
  ui.overlay.set({ kind: 'form', form: { title: 'Deploy', fields: [field], submit: async () => undefined } });
  for (const text of ['tr\u00e8s', 'tres']) {
    type({ ui }, text);
    expect(shown({ ui })).toContain('fleet tre\u0300s');
    pressAll({ ui }, 'ctrl-u');
  }
  type({ ui }, 'tros');
  expect(shown({ ui })).toContain('No matches.');
});

test('a long fact leaves the rest of a plan in sight', () => {
  const { desk } = openPlan([
    { label: 'Becomes', text: 'word '.repeat(200) },
    { label: 'When', text: 'now' },
  ]);
  const lines = shown(desk).split('\n');
  expect(lines.findIndex((line) => line.startsWith('When'))).toBe(5);
  expect(lines[4]?.trimEnd()).toMatch(/…$/);
});
