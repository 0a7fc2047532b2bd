import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, ownFile } from '../orders/durable.ts';
import { membersOf, whole } from './raw-json.ts';

/** The values of a namespace as they stand in its file, by key; a Map, since `__proto__` is a key like any other. */
export type Values = Map<string, string>;

/** What programs of the robot read: one JSON object by key. */
export const pathOf = (folder: string, namespace: string) => join(folder, `${namespace}.json`);

/** The file as it is; undefined if there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/** Its mode, which an operator may have widened for the programs that read it; 0600 for a new one. */
export const modeOf = (path: string) =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => ownFile,
  );

/** Throws for what is no JSON object: to put others in its place would lose what somebody wrote. */
export function parseValues(path: string, text: string): Values {
  const span = whole(text);
  let isObject = false;
  try {
    isObject = typeof JSON.parse(text) === 'object' && text[span.start] === '{';
  } catch {
    // Told below.
  }
  if (!isObject) throw new Error(`${path} is not a JSON object; mend or delete it`);
  return new Map([...membersOf(text, span)].map(({ name, value }) => [name, text.slice(value.start, value.end)]));
}

export function textOf(values: Values): string {
  const lines = [...values].map(([key, value]) => `  ${JSON.stringify(key)}: ${value}`);
  return lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`;
}

export const removeFile = (path: string) => rm(path, { force: true });
