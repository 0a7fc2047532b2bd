import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilFull } from '../../../support/ui-full.ts';
import { builtUiProgram, type UiProgram } from '../../../support/ui-process.ts';
import { startUiScreen } from '../../../support/ui-screen.ts';

let program: UiProgram;
beforeAll(async () => void (program = await builtUiProgram()));
afterAll(() => program[Symbol.asyncDispose]());

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends it on a terminal that takes nothing and that nobody reads again', async (signal, code) => {
  using screen = startUiScreen(program.words, { env: program.env, columns: 200, rows: 50 });
  await screen.sees(/^tick [1-9]\d*/);
  screen.stopReading();
  await untilFull(screen.pid);
  process.kill(screen.pid, signal);
  expect(await screen.ended).toBe(code);
});
