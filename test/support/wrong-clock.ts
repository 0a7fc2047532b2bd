import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';

/** A process clock that differs from the machine's. */
export interface WrongClock extends AsyncDisposable {
  /** Environment that applies the clock to a process. */
  env: Record<string, string>;
  /** Sets the clock, also while the process runs: `+1h` is an hour ahead. */
  set(offset: string): Promise<void>;
}

export async function wrongClock(offset: string): Promise<WrongClock> {
  const folder = await tempDir();
  const file = join(folder.path, 'offset');
  const set = (to: string) => writeFile(file, `${to}\n`);
  await set(offset);
  // `faketime` itself would stay as the parent of the process, and receive its signals.
  const library = execFileSync('faketime', ['-m', '-f', offset, 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' });
  return {
    env: {
      LD_PRELOAD: library.trim(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Only the time of day is wrong; time passes at its normal rate.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
