import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { TextlintKernel, type TextlintKernelOptions, type TextlintPluginCreator } from '@textlint/kernel';
import { placeOf, type Kind, type Passage } from './passage.ts';
import { ruleOf, sentenceLength, terminology } from './rules.ts';
import { passagesOf } from './sources.ts';
import { spelling } from './spelling.ts';
import { parseTerms } from './terms.ts';

type Rule = 'sentence-length' | 'spelling' | 'terminology';

interface Finding {
  file: string;
  line: number;
  column: number;
  kind: Kind;
  rule: Rule;
  message: string;
}

/** Words in a sentence. The goal is 25: what is between both is judged by people. */
export const longestSentence = 35;

// Node and Vitest disagree on what the default of this module is.
const markdown = createRequire(import.meta.url)('@textlint/textlint-plugin-markdown') as {
  default: TextlintPluginCreator;
};

const beside = (name: string) => new URL(name, import.meta.url);

/** A linter with the rules of the repository: the table of terms, the dictionary and the limit of sentences. */
export async function createLinter(): Promise<(root: URL, files: readonly string[]) => Promise<Finding[]>> {
  const terms = parseTerms(await readFile(beside('terms.md'), 'utf8'));
  const checks = {
    'sentence-length': sentenceLength(longestSentence),
    spelling: await spelling(fileURLToPath(beside('../../cspell.json'))),
    terminology: terminology(terms),
  };
  const kernel = new TextlintKernel();
  const options: TextlintKernelOptions = {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: Object.entries(checks).map(([ruleId, check]) => ({ ruleId, rule: ruleOf(check) })),
  };
  const lint = async (passage: Passage): Promise<Finding[]> => {
    const { messages } = await kernel.lintText(passage.text, options);
    const { file, kind } = passage;
    return messages.map(({ ruleId, message, range }) => ({
      file,
      ...placeOf(passage, range[0]),
      kind,
      rule: ruleId as Rule,
      message,
    }));
  };
  return async (root, files) => {
    const findings: Finding[] = [];
    for (const file of files) {
      const found = (await Promise.all((await passagesOf(root, file)).map(lint))).flat();
      findings.push(...found.sort((a, b) => a.line - b.line || a.column - b.column));
    }
    return findings;
  };
}
