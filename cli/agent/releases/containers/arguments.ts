import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../orders/durable.ts';
import { StepFailed } from '../../orders/handler.ts';

const fileName = 'container-run.args';
/** Options that the agent sets itself, or that would take the container out of its control. */
const reserved = ['--name', '--rm', '--replace', '--pull', '--detach', '-d', '--cidfile'];

/**
 * The operator's own arguments for a release's container, from `container-run.args` in the folder; empty if the file is
 * missing. Throws StepFailed (bad_arguments) if the file cannot be read or holds a reserved argument.
 */
export async function readRunArguments(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  const path = join(folder, fileName);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw new StepFailed('bad_arguments', `${path} cannot be read: ${String(error)}`);
  });
  const words = parseRunArguments(text);
  const taken = words.find((word) => reserved.includes(nameOf(word)));
  if (taken !== undefined)
    throw new StepFailed('bad_arguments', `${path} holds ${nameOf(taken)}, which the agent sets`);
  return words;
}

/**
 * One argument per line; an option may have its value on the same line. Empty lines and lines that begin with # are
 * ignored.
 */
export function parseRunArguments(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    // An option name holds no space, so the text after the first space is its value.
    const [, name, value] = /^(-[^\s=]*)\s+(.*)$/.exec(line) ?? [];
    return name !== undefined && value !== undefined ? [name, value] : [line];
  });
}

/** Whether one of the options is among the arguments. */
export const isGiven = (words: readonly string[], ...options: readonly string[]): boolean =>
  words.some((word) => options.includes(nameOf(word)));

const nameOf = (word: string) => word.replace(/=.*$/s, '');
