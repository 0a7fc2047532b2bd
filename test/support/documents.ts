import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

export interface Document {
  /** Its path from the root of the repository. */
  path: string;
  text: string;
}

/** A block between two fences. */
export interface Block {
  /** What stands behind the fence; often nothing. */
  language: string;
  /** Without the indentation that all of its lines share with the fence. */
  text: string;
}

export const documentAt = (path: string): Document => ({ path, text: readFileSync(join(repository, path), 'utf8') });

/** Those of a folder, and of the folders below it, whose names end so; without what Python compiles when an example is run. */
export const documentsIn = (folder: string, ending: string): Document[] =>
  readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.parentPath.endsWith('__pycache__'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    .sort()
    .map(documentAt);

const fenced = /^( *)```(\w*)\n(.*?)^\1```$/gms;

export const blocksOf = ({ text }: Document): Block[] =>
  [...text.matchAll(fenced)].map(([, indent = '', language = '', body = '']) => ({
    language,
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));

/** Those that are for a shell: named so, or not named at all, as blocks with what is printed are. */
export const shellBlocksOf = (document: Document): Block[] =>
  blocksOf(document).filter(({ language }) => ['', 'sh'].includes(language));

/** What stands between two backticks within a line. */
export const spansOf = ({ text }: Document): string[] =>
  [...text.replaceAll(fenced, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
