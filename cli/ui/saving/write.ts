import { writeFile } from 'node:fs/promises';
import { usage } from '../../command-line/errors.ts';
import { csvLine } from '../../output/csv.ts';
import { safeJson } from '../../output/safe.ts';
import type { Sheet } from './sheet.ts';

type Rows = Pick<Sheet, 'titles' | 'rows'>;

/** File formats by file name extension. */
const formats: Readonly<Record<string, (sheet: Rows) => string[]>> = {
  '.csv': ({ titles, rows }) => [titles, ...rows].map(csvLine),
  '.jsonl': ({ titles, rows }) =>
    rows.map((row) => safeJson(JSON.stringify(Object.fromEntries(titles.map((title, at) => [title, row[at] ?? '']))))),
};

const formatOf = (path: string) => Object.entries(formats).find(([ending]) => path.endsWith(ending))?.[1];

/** Why the file name is invalid; undefined: it is valid. */
export function fileFault(path: string): string | undefined {
  if (path.trim() === '') return 'a name is required';
  return formatOf(path) ? undefined : `it must end in ${Object.keys(formats).join(' or ')}`;
}

/** Writes a new file that only its owner can read. An existing file is not changed. */
export async function writeSheet(path: string, sheet: Rows): Promise<void> {
  const lines = formatOf(path)?.(sheet) ?? [];
  try {
    await writeFile(path, lines.map((line) => `${line}\n`).join(''), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what node:fs rejects with
    if (code === 'EEXIST') throw usage(`The file ${path} already exists.`, 'Choose another name.');
    if (code === 'ENOENT')
      throw usage(`The folder of ${path} does not exist.`, 'Create it first, or choose another path.');
    throw error;
  }
}
