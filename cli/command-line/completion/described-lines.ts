import type { Shell } from './shell.ts';

/** For shells that pass words without quotes, quote what they insert, and show descriptions: `word<tab>description`. */
export const describedLines: Shell['read'] = (words) => ({
  complete: words.slice(0, -1),
  current: words.at(-1) ?? '',
  write: (candidates) => candidates.map(({ word, about }) => `${word}\t${about}\n`).join(''),
  files: '\t\n',
});
