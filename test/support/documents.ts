import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

export interface Document {
  /** Path relative to the root of the repository. */
  path: string;
  text: string;
}

/** A block between two fences. */
export interface Block {
  /** The first word after the fence; often empty. */
  language: string;
  /** What follows the language, such as `not run: <reason>`; mostly empty. */
  info: string;
  /** Without the indentation that its lines share with the fence. */
  text: string;
  /** As it stands in the document, with its fences. */
  whole: string;
}

export const documentAt = (path: string): Document => ({ path, text: readFileSync(join(repository, path), 'utf8') });

/**
 * The documents in a folder and its subfolders with this ending; without files that Python compiles when an example
 * runs.
 */
export const documentsIn = (folder: string, ending: string): Document[] =>
  readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.parentPath.endsWith('__pycache__'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    .sort()
    .map(documentAt);

const fenced = /^( *)```(\w*) *([^\n`]*)\n(.*?)^\1```$/gms;

export const blocksOf = ({ text }: Document): Block[] =>
  [...text.matchAll(fenced)].map(([whole, indent = '', language = '', info = '', body = '']) => ({
    language,
    info: info.trim(),
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    whole,
  }));

/** Blocks for a shell: marked so, or unmarked, as blocks with output are. */
export const shellBlocksOf = (document: Document): Block[] =>
  blocksOf(document).filter(({ language }) => ['', 'sh'].includes(language));

/** Undefined if the block is run; otherwise the reason in its fence: `sh not run: <reason>`. */
export const reasonNotToRun = ({ info }: Block): string | undefined =>
  info.startsWith('not run') ? info.replace(/^not run:? */, '').trim() : undefined;

/** The text between two backticks within a line. */
export const spansOf = ({ text }: Document): string[] =>
  [...text.replaceAll(fenced, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
