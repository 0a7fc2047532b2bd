import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tempDir } from '../../support/temp-dir.ts';
import { builtUiProgram } from '../../support/ui-process.ts';
import { startUiScreen, type UiScreen } from '../../support/ui-screen.ts';
import { together } from '../../support/together.ts';
import { projectPath } from './child.ts';

/** What the interface is told to do: change robots for so long, an hour's changes at once, follow a log, rest. */
export type UiCommand = { kind: 'update'; ms: number } | { kind: 'hour' } | { kind: 'log' } | { kind: 'rest' };

/** What it has to tell: each time that it held the thread, in ms. */
export interface UiFigures {
  turnsMs: number[];
}

export interface UiJob extends AsyncDisposable {
  screen: UiScreen;
  pid: number;
  /** Resolves when it is done, or has begun where it goes on. */
  run(command: UiCommand): Promise<UiFigures>;
  /** Presses a key; gives the ms until what it does is on the screen. */
  press(key: string): Promise<number>;
}

/** The interface on data of its own making, on a terminal of 200 × 50. */
export const startUiJob = (): Promise<UiJob> =>
  together(async (own) => {
    const folder = own(await tempDir());
    const program = own(await builtUiProgram(pathToFileURL(projectPath('test/bench/harness/ui-program.tsx'))));
    const path = join(folder.path, 'parent');
    const server = createServer().listen(path);
    own({ [Symbol.asyncDispose]: async () => void server.close() });
    const screen = own(
      startUiScreen(program.words, { columns: 200, rows: 50, env: { PARENT: path, COLORTERM: 'truecolor' } }),
    );
    const [socket] = (await Promise.race([
      once(server, 'connection'),
      screen.ended.then(() => Promise.reject(new Error(`it ended: ${screen.written()}`))),
    ])) as [Socket];
    const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
    await screen.sees('keys 0.');
    let keys = 0;
    return {
      screen,
      pid: screen.pid,
      async run(command) {
        socket.write(`${JSON.stringify(command)}\n`);
        const { value } = await answers.next();
        return JSON.parse(String(value)) as UiFigures;
      },
      async press(key) {
        keys += 1;
        const drawn = screen.writes(`keys ${keys}.`);
        const beganMs = performance.now();
        screen.type(key);
        await drawn;
        return performance.now() - beganMs;
      },
    };
  });
