import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { useLayoutEffect } from 'react';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createStore, type Store } from '../../../cli/ui/data/store.ts';
import { useDrawn } from '../../../cli/ui/hooks.ts';
import { until } from '../../support/until.ts';

// Nothing is looked at because a second is over, as it would be by a poll of vitest: that moves the clock on.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
afterAll(() => void vi.useRealTimers());

/** The number in a store; `onDraw` is told each time that it is drawn. */
function Shown({ store, onDraw = () => undefined }: { store: Store<number>; onDraw?: () => void }) {
  const text = useDrawn([store], () => {
    onDraw();
    return `${store.get()}`;
  });
  return <Text>{text}</Text>;
}

test('a change is drawn twice, to see what it changes and to show it, and not once more when it is shown', async () => {
  const store = createStore(1);
  let draws = 0;
  const shown = render(<Shown store={store} onDraw={() => (draws += 1)} />);
  // Somebody listens when a change is shown.
  store.set(2);
  await until(() => shown.lastFrame() === '2');
  await new Promise(setImmediate);
  draws = 0;
  store.set(3);
  await until(() => shown.lastFrame() === '3');
  await new Promise(setImmediate);
  expect(draws).toBe(2);
  shown.unmount();
});

test('what changes between drawing and listening is shown', async () => {
  const store = createStore(1);
  function Late() {
    useLayoutEffect(() => store.set(2), []);
    return <Shown store={store} />;
  }
  const shown = render(<Late />);
  await until(() => shown.lastFrame() !== '1');
  expect(shown.lastFrame()).toBe('2');
  shown.unmount();
});
