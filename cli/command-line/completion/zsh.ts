import type { Catalog } from '../command-spec.ts';
import { pathCase, wordsCases } from './bash.ts';

/** For a file `_cli` in `fpath`, or to be sourced. */
export function zshScript(catalog: Catalog): string {
  return `#compdef cli
_cli() {
  local prev="\${words[CURRENT-1]}" at="" next="" typed
  local -a line
  line=("\${words[@]:1:$((CURRENT - 2))}")
  for typed in "\${line[@]}"; do
    next="\${at:+$at }$typed"
${pathCase(catalog, '    ')}
  done
  _cli_words
}
_cli_words() {
  local words=""
${wordsCases(catalog, '  ')}
  compadd -- \${=words}
}
if [ "\${funcstack[1]}" = "_cli" ]; then _cli "$@"; else compdef _cli cli; fi
`;
}
