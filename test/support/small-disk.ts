import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that a test can fill, without any other files. */
export interface SmallDisk extends Disposable {
  path: string;
  /** Fills it to the last byte. */
  fill(): void;
  empty(): void;
}

/** `mode`: permissions of its folder; by default others have no access. */
export function smallDisk(bytes: number, mode = '700'): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'fleet-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=${mode}`, 'fleet-test', path], { stdio: 'ignore' });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      writeFileSync(filler, '');
      for (const chunk of [64 * 1024, 4 * 1024, 1])
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(chunk));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
    },
    empty: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', path]);
      rmdirSync(path);
    },
  };
}
