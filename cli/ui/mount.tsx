import { render } from 'ink';
import type { ReactElement } from 'react';
import { PaceContext } from './hooks.ts';
import { openTerminal, type TerminalSettings } from './terminal/terminal.ts';
import type { UiTerminal } from './ui.ts';

/** Draws on the terminal of this process until it is left; gives the exit code. */
export async function mount(settings: TerminalSettings, make: (terminal: UiTerminal) => ReactElement): Promise<number> {
  const terminal = openTerminal(settings);
  const { painter, keyboard } = terminal;
  try {
    const drawn = make(terminal.ui);
    terminal.enter();
    const app = render(<PaceContext value={terminal.pace}>{drawn}</PaceContext>, {
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
