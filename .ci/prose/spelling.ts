import { loadConfig, spellCheckDocument } from 'cspell-lib';
import type { Block } from './blocks.ts';
import type { Check } from './rules.ts';

/** US English with cspell's dictionaries and that of the project, as the configuration of the repository names them. */
export async function spelling(configuration: string): Promise<Check> {
  const settings = await loadConfig(configuration);
  const document = { uri: 'prose.txt', languageId: 'plaintext', locale: 'en-US' };
  /** Of blocks without a fault, so that most blocks need no document of their own: that makes the step several times faster. */
  const known = new Set<string>();
  return async ({ text }: Block) => {
    const words = text.match(/[\p{L}\p{M}'’]+/gu) ?? [];
    if (words.every((word) => known.has(word))) return [];
    const { issues } = await spellCheckDocument({ ...document, text }, { noConfigSearch: true }, settings);
    if (issues.length === 0) for (const word of words) known.add(word);
    return issues.map(({ offset, text: word }) => ({
      index: offset,
      message: `"${word}" is not in the dictionary. Correct it, put code in backticks, or add a term to .ci/prose/words.txt.`,
    }));
  };
}
