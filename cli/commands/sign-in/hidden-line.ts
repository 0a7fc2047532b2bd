import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { endOnInterrupt } from '../../command-line/interrupt.ts';

/** Reads one typed or pasted line without echo; empty if the input ends first. Releases the input. */
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
