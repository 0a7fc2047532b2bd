import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse, stringify, TomlError } from 'smol-toml';
import { makeFolder } from './folder.ts';

type TomlTable = Record<string, unknown>;

/** A file that is there and cannot be used; the message names it and says why. */
export class TomlFileError extends Error {
  override readonly name = 'TomlFileError';
  /** What to do about it; undefined where the message says all there is. */
  readonly hint: string | undefined;

  constructor(message: string, options: ErrorOptions & { hint?: string | undefined } = {}) {
    super(message, options);
    this.hint = options.hint;
  }
}

const ownerOnly = 0o600;
const ownerOnlyDirectory = 0o700;
const trialBytes = 4_096;

/** The table in the file, or undefined if there is no such file. Throws TomlFileError if it cannot be read or is not TOML. */
export async function readToml(path: string): Promise<TomlTable | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new TomlFileError(`cannot read ${path}: ${reason(error)}`, { cause: error, hint: 'Mend or delete it.' });
  }
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    // The parser's message quotes the line, which may hold a token: only its first line is passed on.
    const at = error instanceof TomlError ? `line ${error.line}: ` : '';
    throw new TomlFileError(`${path} is not valid TOML (${at}${reason(error).split('\n')[0] ?? ''})`, {
      cause: error,
      hint: 'Mend or delete it.',
    });
  }
}

/**
 * Writes the keys into the file and keeps every other key that it has; an undefined value removes its key. Comments are lost.
 * The file is 0600 in a 0700 directory and is replaced in one step: a crash leaves the old file or the new one, never half of one.
 * A file that cannot be used stays as it is, and TomlFileError is thrown; with `replacesDamaged` it counts as empty.
 */
export async function writeToml(
  path: string,
  keys: Record<string, string | undefined>,
  { replacesDamaged = false }: { replacesDamaged?: boolean } = {},
): Promise<void> {
  const old = await readToml(path).catch((error: unknown) => {
    if (!replacesDamaged) throw error;
    return undefined;
  });
  const table = { ...old, ...keys };
  const kept = Object.fromEntries(Object.entries(table).filter(([, value]) => value !== undefined));
  await replaceFile(path, `${stringify(kept).trimEnd()}\n`);
}

/** True if there was such a file. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw new TomlFileError(`cannot delete ${path}: ${reason(error)}`, { cause: error });
  }
}

/**
 * Puts the file back as it is, in the way in which a new one would take its place: what that will need is there. Throws TomlFileError if
 * it cannot be read or replaced; without a file it does nothing.
 */
export async function checkReplaceable(path: string): Promise<void> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    if (isMissing(error)) return;
    throw new TomlFileError(`cannot read ${path}: ${reason(error)}`, { cause: error });
  }
  await replaceFile(path, content);
}

/** Writes a file of some size beside it and takes that away again. Throws TomlFileError where a first or a new one could not be written. */
export async function checkWritable(path: string): Promise<void> {
  const trial = `${path}.trial-${process.pid}`;
  try {
    await replaceFile(trial, ' '.repeat(trialBytes));
  } catch (error) {
    throw new TomlFileError(`cannot write ${path}: ${reason(error instanceof Error ? error.cause : error)}`, {
      cause: error,
    });
  }
  await removeFile(trial);
}

/** Gives a file that cannot be used another name beside its own, for its owner alone, and returns that. */
export async function setAside(path: string, now = new Date()): Promise<string> {
  const aside = `${path}.damaged-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    throw new TomlFileError(`cannot set ${path} aside: ${reason(error)}`, { cause: error });
  }
  await chmod(aside, ownerOnly).catch(() => undefined);
  return aside;
}

/** The file's mode if people other than its owner may read it, as in `0644`; undefined otherwise and where modes mean nothing. */
export async function looseMode(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const found = await stat(path).catch(() => undefined);
  return found && (found.mode & 0o077) !== 0 ? `0${(found.mode & 0o777).toString(8)}` : undefined;
}

/** True if it is there and another user owns it; false where users mean nothing. */
export async function isForeign(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && process.getuid !== undefined && found.uid !== process.getuid();
}

/** 0600 in a 0700 directory, in one step: a crash leaves the old file or the new one. Throws TomlFileError. */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${process.pid}.tmp`);
  try {
    if ((await makeFolder(directory, ownerOnlyDirectory)) === undefined) {
      await chmod(directory, ownerOnlyDirectory);
    }
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', ownerOnly);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(directory);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new TomlFileError(`cannot write ${path}: ${reason(error)}`, { cause: error });
  }
}

/** Makes the rename survive a power cut; some file systems refuse to sync a directory, which then needs no sync. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
