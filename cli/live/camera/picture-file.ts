import { access, constants, open, realpath, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file that pictures are appended to. */
interface PictureFile {
  append(jpeg: Buffer): Promise<void>;
  /** Without a picture, the file is as it was before, or absent. */
  close(): Promise<void>;
}

/**
 * Opens a file that is replaced only with the first picture: until then pictures go into a temporary file beside it,
 * which is renamed. Rejects at once if the file cannot be written. A device or a pipe is written directly.
 */
export async function pictureFile(path: string): Promise<PictureFile> {
  // A link stays a link: the file that it names is replaced.
  const target = await realpath(path).catch(() => path);
  const present = await stat(target).catch(() => undefined);
  if (present && !present.isFile()) return direct(await open(target, 'w'));
  if (present) await access(target, constants.W_OK);
  const part = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  const file = await open(part, 'w', present?.mode).catch((error: unknown) => {
    throw new Error((error as Error).message.replace(part, path), { cause: error });
  });
  let isPart = true;
  return {
    async append(jpeg) {
      await file.appendFile(jpeg);
      if (isPart) await rename(part, target);
      isPart = false;
    },
    async close() {
      await file.close();
      if (isPart) await unlink(part);
    },
  };
}

const direct = (file: FileHandle): PictureFile => ({
  append: (jpeg) => file.appendFile(jpeg),
  close: () => file.close(),
});
