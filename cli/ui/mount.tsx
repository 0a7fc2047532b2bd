import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { render } from 'ink';
import type { ReactElement } from 'react';
import { FrameRateContext } from './hooks.ts';
import { openTerminal, type TerminalSettings } from './terminal/terminal.ts';
import type { UiTerminal } from './ui.ts';

/**
 * It is open all day, and nearly all that it reads is gone with the next answer, of which V8 would let 100 MB lie before it looks. Told so, it looks
 * when as much was read as is kept; frames take no longer.
 */
const lean = ['--semi-space-growth-factor=1', '--heap-growing-percent=100'];

/** Draws on the terminal of this process until it is left; gives the exit code. */
export async function mount(settings: TerminalSettings, make: (terminal: UiTerminal) => ReactElement): Promise<number> {
  lean.forEach((flag) => setFlagsFromString(flag));
  const terminal = openTerminal(settings);
  const { painter, keyboard } = terminal;
  try {
    const drawn = make(terminal.ui);
    terminal.enter();
    // What was typed ahead is read by the end of the second turn, while nobody listens: it was meant for nothing that could be seen.
    await turn();
    await turn();
    const app = render(<FrameRateContext value={terminal.pace}>{drawn}</FrameRateContext>, {
      // Ink asks for no more than these have.
      stdout: painter as unknown as NodeJS.WriteStream,
      stdin: keyboard as unknown as NodeJS.ReadStream,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    });
    app.waitUntilExit().catch(terminal.fail);
    const code = await terminal.ended.finally(() => painter.end());
    app.unmount();
    return code;
  } finally {
    await terminal.leave();
  }
}
