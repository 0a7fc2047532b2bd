import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse, stringify, TomlError } from 'smol-toml';
import { makeFolder } from './folder.ts';

type TomlTable = Record<string, unknown>;

/** The file exists but is unusable; the message has its name and the reason. */
export class TomlFileError extends Error {
  override readonly name = 'TomlFileError';
  /** What to do next; undefined if the message says it all. */
  readonly hint: string | undefined;

  constructor(message: string, options: ErrorOptions & { hint?: string | undefined } = {}) {
    super(message, options);
    this.hint = options.hint;
  }
}

const ownerOnly = 0o600;
const ownerOnlyDirectory = 0o700;
const trialBytes = 4_096;

/** The table in the file; undefined if it is missing. Throws TomlFileError if it cannot be read or is not TOML. */
export async function readToml(path: string): Promise<TomlTable | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new TomlFileError(`cannot read ${path}: ${reason(error)}`, {
      cause: error,
      hint: 'Correct or delete the file.',
    });
  }
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    // The parser's message quotes the line, which may contain a token: only its first line is used.
    const at = error instanceof TomlError ? `line ${error.line}: ` : '';
    throw new TomlFileError(`${path} is not valid TOML (${at}${reason(error).split('\n')[0] ?? ''})`, {
      cause: error,
      hint: 'Correct or delete the file.',
    });
  }
}

/**
 * Writes the keys into the file and keeps its other keys; an undefined value removes its key. Comments are lost. The
 * file has mode 0600 in a 0700 directory and is replaced atomically: a crash leaves the old file or the new one, never
 * half of one. An unusable file stays unchanged, and TomlFileError is thrown; with `replacesDamaged` it counts as
 * empty.
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

/** True if the file existed. */
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
 * Replaces the file with its own content, in the way a new one would, to check that this works. Throws TomlFileError if
 * it cannot be read or replaced; does nothing without a file.
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

/**
 * Writes a trial file beside it and deletes that. Throws TomlFileError if a first or a new file could not be written.
 */
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

/** Renames an unusable file in its folder, readable for its owner only; returns the new name. */
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

/** The file's mode if other users have access, such as `0644`; undefined otherwise, and on systems without modes. */
export async function looseMode(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const found = await stat(path).catch(() => undefined);
  return found && (found.mode & 0o077) !== 0 ? `0${(found.mode & 0o777).toString(8)}` : undefined;
}

/** True if the file exists and another user owns it; false on systems without users. */
export async function isForeign(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && process.getuid !== undefined && found.uid !== process.getuid();
}

/**
 * Writes with mode 0600 in a 0700 directory, atomically: a crash leaves the old file or the new one. `isOwnFolder`:
 * whether an existing directory gets that mode; default true. Throws TomlFileError.
 */
export async function replaceFile(
  path: string,
  content: string | Buffer,
  { isOwnFolder = true }: { isOwnFolder?: boolean } = {},
): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.${process.pid}.tmp`);
  try {
    if ((await makeFolder(directory, ownerOnlyDirectory)) === undefined && isOwnFolder) {
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

/** Makes the rename survive a power cut; a file system that refuses to sync a directory needs no sync. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
