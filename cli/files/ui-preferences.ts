import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { readToml, replaceFile, TomlFileError } from './toml-file.ts';
import type { ListPreferences, UiPreferences } from './ui-settings.ts';

const names = ['theme', 'mouse', 'split'] as const;
type Table = Record<string, unknown>;

/**
 * Writes what changed between two states into ui.toml. Everything else in the file stays as it is written, comments
 * too. A file that is not valid TOML, or written in a way that cannot be changed safely, is not touched: throws
 * TomlFileError. The file is replaced atomically; if it is a link, the file behind it is.
 */
export async function savePreferences(configDirectory: string, before: UiPreferences, after: UiPreferences) {
  const path = join(configDirectory, 'ui.toml');
  const old = (await readToml(path)) ?? {};
  const text = await readFile(path, 'utf8').catch(() => '');
  let lines = text === '' ? [] : text.trimEnd().split(/\r?\n/);
  const wanted: Table = structuredClone(old);
  for (const name of names) {
    if (before[name] === after[name]) continue;
    lines = withValue(lines, name, after[name]);
    put(wanted, name, after[name]);
  }
  for (const name of new Set([...Object.keys(before.lists), ...Object.keys(after.lists)])) {
    if (isDeepStrictEqual(before.lists[name], after.lists[name])) continue;
    const table = tableOf(after.lists[name]);
    lines = withList(lines, name, table);
    const lists = isTable(wanted['lists']) ? wanted['lists'] : {};
    put(lists, name, table);
    put(wanted, 'lists', Object.keys(lists).length > 0 ? lists : undefined);
  }
  const next = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  if (next.trim() === text.trim()) return;
  if (!isSame(next, wanted))
    throw new TomlFileError(`${path} is written in a way that cannot be changed without losing something`, {
      hint: 'Write each list as its own table, as in [lists.robots].',
    });
  const target = await realpath(path).catch(() => path);
  // A linked file is in a folder of other files, whose mode is not ours to change.
  await replaceFile(target, next, { isOwnFolder: target === path });
}

function put(table: Table, name: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(table, name);
  else table[name] = value;
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the text means that table, apart from empty tables. */
function isSame(text: string, wanted: Table): boolean {
  try {
    const { lists, ...made } = parse(text, { integersAsBigInt: 'asNeeded' });
    const isEmpty = isTable(lists) && Object.keys(lists).length === 0;
    return isDeepStrictEqual(structuredClone({ ...made, ...(lists !== undefined && !isEmpty && { lists }) }), wanted);
  } catch {
    return false;
  }
}

/** Undefined: nothing of the list is kept. */
function tableOf(list: ListPreferences | undefined): Table | undefined {
  const table: Table = {};
  if (list?.sort) table['sort'] = `${list.sort.isReverse ? '-' : ''}${list.sort.title}`;
  if (list?.columns) table['columns'] = [...list.columns];
  if (list?.isWide === true) table['wide'] = true;
  if (list?.filter !== undefined) table['filter'] = list.filter;
  return Object.keys(table).length > 0 ? table : undefined;
}

const isHeader = (line: string) => /^\s*\[/.test(line);
const isRemark = (line: string) => /^\s*(?:#|$)/.test(line);

/** The lines with this value of a key before the first table; a comment behind the old value stays. */
function withValue(lines: readonly string[], name: string, value: string | boolean | undefined): string[] {
  const header = lines.findIndex(isHeader);
  const end = header === -1 ? lines.length : header;
  const at = lines.slice(0, end).findIndex((line) => new RegExp(`^\\s*${name}\\s*=`).test(line));
  if (at === -1) {
    if (value === undefined) return [...lines];
    // Before the comments of the first table.
    const place = lines.slice(0, end).findLastIndex((line) => !isRemark(line)) + 1;
    const gap = place === 0 && lines.length > 0 ? [''] : [];
    return [...lines.slice(0, place), `${name} = ${stringify({ value }).trim().replace('value = ', '')}`, ...gap, ...lines.slice(place)]; // prettier-ignore
  }
  const remark = /^[^#]*?=\s*(?:"[^"\\]*"|'[^']*'|\w+)(\s*#.*)?$/.exec(lines[at] ?? '')?.[1] ?? '';
  const now = value === undefined ? [] : [`${stringify({ [name]: value }).trim()}${remark}`];
  return [...lines.slice(0, at), ...now, ...lines.slice(at + 1)];
}

/** The lines with this table of a list, in the place of the old one or at the end. Its comments on own lines stay. */
function withList(lines: readonly string[], name: string, table: Table | undefined): string[] {
  const header = [`[lists.${name}]`, `[lists."${name}"]`];
  const at = lines.findIndex((line) => header.includes(line.replace(/#.*$/, '').replaceAll(/\s/g, '')));
  const body = table ? stringify(table).trim().split('\n') : [];
  const head =
    stringify({ lists: { [name]: {} } })
      .trim()
      .split('\n')
      .at(-1) ?? '';
  if (at === -1) return table ? [...lines, ...(lines.length > 0 ? [''] : []), head, ...body] : [...lines];
  const next = lines.slice(at + 1).findIndex(isHeader);
  const limit = next === -1 ? lines.length : at + 1 + next;
  const end = lines.slice(0, limit).findLastIndex((line) => !isRemark(line)) + 1;
  const remarks = lines.slice(at + 1, end).filter((line) => /^\s*#/.test(line));
  const now = table ? [lines[at] ?? head, ...remarks, ...body] : remarks;
  return [...lines.slice(0, at), ...now, ...lines.slice(end)];
}
