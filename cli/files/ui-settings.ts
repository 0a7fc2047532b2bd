import { join } from 'node:path';
import { readToml, TomlFileError } from './toml-file.ts';

/** The usable content of ui.toml; undefined: not set. */
export interface UiFile {
  keys: Readonly<Record<string, readonly string[]>>;
  ascii: boolean | undefined;
  colours: boolean | undefined;
  /** Undefined: unknown, so nothing may be changed. */
  readOnlyProfiles: readonly string[] | undefined;
}

/**
 * Reads ui.toml. Unusable settings are ignored and reported, one sentence each, so the interface always opens. Only
 * read-only protection fails closed. The file is never written, so its content stays.
 */
export async function readUiFile(configDirectory: string): Promise<{ file: UiFile; problems: readonly string[] }> {
  const problems: string[] = [];
  const table = await readToml(join(configDirectory, 'ui.toml')).catch((error: unknown) => {
    if (!(error instanceof TomlFileError)) throw error;
    problems.push(`Nothing can be changed: ${error.message}. The usual settings hold.`);
    return undefined;
  });

  function read<T>(name: string, what: string, valueOf: (value: unknown) => T | undefined): T | undefined {
    const value = table?.[name];
    if (value === undefined) return undefined;
    const usable = valueOf(value);
    if (usable === undefined) problems.push(`ui.toml: ${name} is ${what}`);
    return usable;
  }

  function keys(value: unknown): Record<string, readonly string[]> | undefined {
    if (!isTable(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([action, bound]) => {
        const names = typeof bound === 'string' ? [bound] : texts(bound);
        if (!names) problems.push(`ui.toml: keys of ${action} are a text or a list of texts`);
        return names ? [[action, names]] : [];
      }),
    );
  }

  const profiles = read('read_only_profiles', 'a list of names; until it is, nothing can be changed', texts);
  const isUnknown = problems.length > 0 && (!table || 'read_only_profiles' in table);
  const file = {
    keys: read('keys', 'a table of actions', keys) ?? {},
    ascii: read('ascii', 'true or false', flag),
    colours: read('colours', 'true or false', flag),
    readOnlyProfiles: profiles ?? (isUnknown ? undefined : []),
  };
  return { file, problems };
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;
