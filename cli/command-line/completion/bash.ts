import { splitBashLine } from './bash-line.ts';
import type { Shell } from './shell.ts';

/** For bash 3.2 and later, with or without bash-completion. */
const script = `# bash completion for cli
_cli() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = $'\\t' ]; then compopt -o default 2>/dev/null; else COMPREPLY+=("$line"); fi
  done < <(command cli __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _cli cli
`;

/**
 * bash inserts a line as it is, instead of the word that readline sees: the part after the last word break or quote. So
 * the words are quoted here, and only their rest is written. It shows no descriptions.
 */
export const bash: Shell = {
  script,
  read([breaks = '', text = '']) {
    const { complete, current, quote, seen } = splitBashLine(text, breaks);
    return {
      complete: complete.slice(1),
      current,
      write(candidates) {
        const unseen = quoted(current.slice(0, current.length - seen), quote).length;
        return candidates.map(({ word }) => `${quoted(word, quote).slice(unseen)}\n`).join('');
      },
      // A line that no candidate is.
      files: '\t\n',
    };
  },
};

/** In the style of the quote that is open; readline itself closes it. */
function quoted(word: string, quote: '"' | "'" | ''): string {
  if (quote === "'") return word.replaceAll("'", "'\\''");
  if (quote === '"') return word.replaceAll(/[\\"$`]/g, '\\$&');
  return word.replaceAll(/[^\p{L}\p{M}\p{N}%+,\-./:=@_~^]/gu, '\\$&').replace(/^~/, '\\~');
}
