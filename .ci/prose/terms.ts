/** Words that are not used, and what is said instead. */
export interface Term {
  pattern: RegExp;
  instead: string;
}

/**
 * The rows of the table in terms.md. Code of the first column is a pattern each: whole words, any case, and a space stands for any whitespace.
 */
export const parseTerms = (table: string): Term[] =>
  table.split('\n').flatMap((line) => {
    const [, first = '', second = ''] = line.split(/(?<!\\)\|/);
    return [...first.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => ({
      pattern: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll('\\|', '|').replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
      instead: second.trim(),
    }));
  });
