import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { render } from 'ink';
import type { ReactElement } from 'react';
import { FrameRateContext } from './hooks.ts';
import { openTerminal, type TerminalSettings } from './terminal/terminal.ts';
import type { UiTerminal } from './ui.ts';

/**
 * The interface is open all day, and nearly all it reads is garbage after the next response. By default, V8 lets 100 MB
 * of it pile up. With these flags, V8 collects once as much was read as is live; frame times stay the same.
 */
const lean = ['--semi-space-growth-factor=1', '--heap-growing-percent=100'];

/** Draws on the terminal of this process until the interface quits; returns the exit code. */
export async function mount(settings: TerminalSettings, make: (terminal: UiTerminal) => ReactElement): Promise<number> {
  lean.forEach((flag) => setFlagsFromString(flag));
  const terminal = openTerminal(settings);
  const { painter, keyboard } = terminal;
  try {
    const drawn = make(terminal.ui);
    terminal.enter();
    // Input typed ahead is read by the end of the second turn, without a listener: it was meant for nothing visible.
    await turn();
    await turn();
    const app = render(<FrameRateContext value={terminal.pace}>{drawn}</FrameRateContext>, {
      // Ink needs no more than these have.
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
