import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../orders/durable.ts';
import { StepFailed } from '../../orders/handler.ts';

const fileName = 'container-run.args';
/** What the agent says itself, or what would take the container out of its hands. */
const reserved = ['--name', '--rm', '--replace', '--pull', '--detach', '-d', '--cidfile'];

/**
 * The operator's own arguments of a release's container, from `container-run.args` in the folder; none where there is no such file. Throws
 * StepFailed (bad_arguments) for what cannot be read and for arguments that are the agent's.
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

/** One argument a line; an option may have its value behind it. Empty lines and those that begin with # say nothing. */
export function parseRunArguments(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    // The name of an option holds no space, so what stands behind the first one is its value.
    const [, name, value] = /^(-[^\s=]*)\s+(.*)$/.exec(line) ?? [];
    return name !== undefined && value !== undefined ? [name, value] : [line];
  });
}

/** Whether one of the options is among the arguments. */
export const isGiven = (words: readonly string[], ...options: readonly string[]): boolean =>
  words.some((word) => options.includes(nameOf(word)));

const nameOf = (word: string) => word.replace(/=.*$/s, '');
