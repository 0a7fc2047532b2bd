import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { endOnInterrupt } from '../../command-line/interrupt.ts';

/** A line that somebody types or pastes on the terminal, of which nothing is shown; empty where the input ends before. Lets go of the input. */
export function hiddenLine(input: Readable): Promise<string> {
  const nowhere = new Writable({ write: (_shown, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    const end = (line: string) => {
      resolve(line);
      lines.close();
      input.destroy();
    };
    lines
      .once('line', end)
      .once('close', () => end(''))
      .once('SIGINT', endOnInterrupt);
  });
}
