import type { TextlintRuleModule, TextlintRuleReporter } from '@textlint/kernel';
import { blocksOf, type Block } from './blocks.ts';
import { placeholder } from './passage.ts';
import type { Term } from './terms.ts';

type Context = Parameters<TextlintRuleReporter>[0];

/** Something to correct, at an index of a block. */
export interface Fault {
  index: number;
  message: string;
}
export type Check = (block: Block) => Fault[] | Promise<Fault[]>;

/** A rule of textlint that looks at each block of visible text: a paragraph, a heading or a cell of a table. */
export const ruleOf =
  (check: Check): TextlintRuleModule =>
  (context: Context) => ({
    async [context.Syntax.Document](node: unknown) {
      for (const block of blocksOf(node, context.getSource()))
        for (const { index, message } of await check(block)) {
          const at = block.start + index;
          context.report(
            node as Parameters<Context['report']>[0],
            new context.RuleError(message, { padding: context.locator.at(at) }),
          );
        }
    },
  });

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const hasLetter = new RegExp(`[\\p{L}\\d${placeholder}]`, 'u');

/** Sentences have at most `limit` words. A value, a path or a quoted command counts as one word. */
export const sentenceLength =
  (limit: number): Check =>
  ({ text }) =>
    [...sentences.segment(text.replaceAll(/\s/g, ' '))].flatMap(({ segment, index }) => {
      const words = segment.split(' ').filter((word) => hasLetter.test(word)).length;
      const start = index + segment.length - segment.trimStart().length;
      // A list of code alone, such as the fields of a command, is no sentence.
      return words > limit && /\p{L}/u.test(segment)
        ? [
            {
              index: start,
              message: `this sentence has ${words} words; the limit is ${limit}. Split it, or make it a list.`,
            },
          ]
        : [];
    });

/** Words and phrases for which the project has others. */
export const terminology =
  (terms: readonly Term[]): Check =>
  ({ text }) =>
    terms.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((found) => ({
        index: found.index,
        message: `"${found[0].replaceAll(/\s+/g, ' ')}": ${instead}`,
      })),
    );
