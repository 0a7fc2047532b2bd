import { expect, test } from 'vitest';
import { shellSession } from '../../../../cli/live/shell/session.ts';

test('output that is written after the shell has ended keeps the process no longer', async () => {
  const session = shellSession({
    connector: { silentSeconds: 30, open: () => new Promise(() => undefined) },
    robotId: 'r1',
    start: { tty: false },
    size: () => ({ cols: 80, rows: 24 }),
    onReady: () => undefined,
    onOutput: () => undefined,
    onWaiting: () => undefined,
    onResumed: () => undefined,
    onRoom: () => undefined,
  });
  const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
  expect(session.leave(0)).toBe(true);
  expect(await session.ended).toMatchObject({ code: 0 });
  const before = timers();
  session.written(10);
  expect(timers()).toBe(before);
});
