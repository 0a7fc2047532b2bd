import { join } from 'node:path';
import { readToml, TomlFileError } from './toml-file.ts';

/** How a list is shown at first; what is undefined is as the list has it. */
export interface ListPreferences {
  /** Title of a column. In the file, a minus sign before it reverses the order. */
  sort?: { title: string; isReverse: boolean } | undefined;
  /** Titles of the shown columns, in their order. */
  columns?: readonly string[] | undefined;
  /** All columns. */
  isWide?: boolean | undefined;
  filter?: string | undefined;
}

export const themeNames = ['dark', 'light', 'high-contrast', 'color-blind'] as const;
export type ThemeName = (typeof themeNames)[number];

export const splitViews = ['details', 'logs'] as const;
export type SplitView = (typeof splitViews)[number];

/** What the interface changes in ui.toml by itself. */
export interface UiPreferences {
  theme?: ThemeName | undefined;
  /** Whether clicks and the wheel are for the interface. */
  mouse?: boolean | undefined;
  /** What is shown beside the list of robots, where there is room. */
  split?: SplitView | undefined;
  /** By name of the list, as in `robots` or `robot-timeline`. */
  lists: Readonly<Record<string, ListPreferences>>;
}

/** The usable content of ui.toml; undefined: not set. */
export interface UiFile {
  preferences: UiPreferences;
  keys: Readonly<Record<string, readonly string[]>>;
  ascii: boolean | undefined;
  colours: boolean | undefined;
  /** Undefined: unknown, so nothing may be changed. */
  readOnlyProfiles: readonly string[] | undefined;
}

/**
 * Reads ui.toml. Unusable settings are ignored and reported, one sentence each, so the interface always opens. Only
 * read-only protection fails closed. Nothing is written here, so unusable content stays.
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

  function lists(value: unknown): Record<string, ListPreferences> | undefined {
    if (!isTable(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, table]) => {
        const list = isTable(table) ? listOf(table) : undefined;
        if (!list) problems.push(`ui.toml: lists.${name} has sort and filter as texts, columns as a list of texts, wide as true or false`); // prettier-ignore
        return list ? [[name, list]] : [];
      }),
    );
  }

  const profiles = read('read_only_profiles', 'a list of names; until it is, nothing can be changed', texts);
  const isUnknown = problems.length > 0 && (!table || 'read_only_profiles' in table);
  const file = {
    keys: read('keys', 'a table of actions', keys) ?? {},
    ascii: read('ascii', 'true or false', flag),
    colours: read('colours', 'true or false', flag),
    preferences: {
      theme: read('theme', `one of ${themeNames.join(', ')}`, (value) => themeNames.find((name) => name === value)),
      mouse: read('mouse', 'true or false', flag),
      split: read('split', `one of ${splitViews.join(', ')}`, (value) => splitViews.find((name) => name === value)),
      lists: read('lists', 'a table of lists', lists) ?? {},
    },
    readOnlyProfiles: profiles ?? (isUnknown ? undefined : []),
  };
  return { file, problems };
}

/** Undefined: something in it is unusable. */
function listOf({ sort, columns, wide, filter }: Record<string, unknown>): ListPreferences | undefined {
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  const isUsable =
    isText(sort) &&
    isText(filter) &&
    (columns === undefined || texts(columns)) &&
    (wide === undefined || flag(wide) !== undefined);
  if (!isUsable) return undefined;
  return {
    ...(typeof sort === 'string' && { sort: { title: sort.replace(/^-/, ''), isReverse: sort.startsWith('-') } }),
    ...(columns !== undefined && { columns: texts(columns) }),
    ...(wide === true && { isWide: true }),
    ...(typeof filter === 'string' && { filter }),
  };
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;
