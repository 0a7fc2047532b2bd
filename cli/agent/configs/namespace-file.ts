import { link, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, ownerOnlyMode, writeDurably } from '../orders/durable.ts';
import { membersOf, whole } from './raw-json.ts';

/** The values of a namespace by key, as written in its file. A Map, since `__proto__` is a key like any other. */
export type Values = Map<string, string>;

/** The file that the robot's programs read: one JSON object by key. */
export const pathOf = (folder: string, namespace: string) => join(folder, `${namespace}.json`);

/** The content of the file; undefined if it is missing. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/** Mode of the file, which an operator may have widened for programs that read it; 0600 for a new file. */
export const modeOf = (path: string) =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => ownerOnlyMode,
  );

/** Throws if the text is not a JSON object: replacing it would lose what it holds. */
export function parseValues(path: string, text: string): Values {
  const span = whole(text);
  let isObject = false;
  try {
    isObject = typeof JSON.parse(text) === 'object' && text[span.start] === '{';
  } catch {
    // Reported below.
  }
  if (!isObject) throw new Error(`${path} is not a JSON object; mend or delete it`);
  return new Map([...membersOf(text, span)].map(({ name, value }) => [name, text.slice(value.start, value.end)]));
}

export function textOf(values: Values): string {
  const lines = [...values].map(([key, value]) => `  ${JSON.stringify(key)}: ${value}`);
  return lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`;
}

export const removeFile = (path: string) => rm(path, { force: true });

/**
 * Puts a copy in the place of a file. A second name of the copy is renamed, which a full disk takes too, and the copy
 * stays for a repetition after a crash. It is written anew only where it cannot have that name, as on another file
 * system. `temporary`: that name, in the folder of the file.
 */
export async function restoreFile(copy: string, path: string, temporary: string): Promise<void> {
  await link(copy, temporary)
    .then(() => rename(temporary, path))
    .catch(async () => writeDurably(path, await readFile(copy), await modeOf(copy)));
  // A rename does nothing if both are names of one file.
  await removeFile(temporary);
}
