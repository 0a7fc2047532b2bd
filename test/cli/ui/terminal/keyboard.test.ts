import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Keyboard } from '../../../../cli/ui/terminal/keyboard.ts';

test('a key that nobody listens to is dropped, and holds nothing up', async () => {
  const keyboard = new Keyboard((work) => work());
  keyboard.feed('ab');
  await turn();
  const heard: (string | null)[] = [];
  keyboard.on('readable', () => heard.push(keyboard.read()));
  keyboard.feed('cd');
  await turn();
  expect(heard).toEqual(['c', 'd']);
});
