import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../../command-line/errors.ts';
import type { Io } from '../../command-line/io.ts';
import { pictureFile } from './picture-file.ts';

/** Where pictures are saved. */
interface Keeping {
  /** A folder with one file per picture. */
  folder: string | undefined;
  /** A file with all pictures in sequence, replaced with the first picture; `-` is stdout. */
  file: string | undefined;
}

interface Keeper {
  /** Resolves when the picture is in all files and passed to stdout. Rejects with CliError. */
  keep(jpeg: Buffer): Promise<void>;
  /** Resolves when stdout accepts more; undefined if it does now. */
  full(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Writes pictures as they arrive. Rejects with CliError if it cannot start. */
export async function pictureKeeper({ folder, file }: Keeping, { out }: Pick<Io, 'out'>): Promise<Keeper> {
  let stream: Awaited<ReturnType<typeof pictureFile>> | undefined;
  try {
    if (folder !== undefined) await mkdir(folder, { recursive: true });
    if (file !== undefined && file !== '-') stream = await pictureFile(file);
  } catch (error) {
    throw unwritten(error);
  }
  return {
    async keep(jpeg) {
      try {
        if (folder !== undefined) await keepIn(folder, '', jpeg);
        await stream?.append(jpeg);
      } catch (error) {
        throw unwritten(error);
      }
      if (file === '-') out.write(jpeg);
    },
    full: () => (file === '-' ? out.full() : undefined),
    async close() {
      await stream?.close();
    },
  };
}

/** Writes the picture to a new file, named by `start` and the time (UTC); returns its name. */
export async function keepIn(folder: string, start: string, jpeg: Buffer): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(':', '-');
  for (let copy = 1; ; copy += 1) {
    const name = `${start}${stamp}${copy === 1 ? '' : `_${copy}`}.jpg`;
    try {
      await writeFile(join(folder, name), jpeg, { flag: 'wx' });
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

const unwritten = (error: unknown) =>
  new CliError(`the pictures cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
