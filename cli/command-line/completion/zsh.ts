import type { Shell } from './shell.ts';
import { describedLines } from './described-lines.ts';

/** For a file `_cli` in `fpath`, or to be sourced. compadd quotes what it inserts. */
const script = `#compdef cli
_cli() {
  local line word
  local -a values shown
  while IFS= read -r line; do
    if [[ $line == $'\\t' ]]; then _files; return; fi
    word=\${line%%$'\\t'*}
    values+=("$word")
    if [[ $line == *$'\\t'?* ]]; then shown+=("$word  -- \${line#*$'\\t'}"); else shown+=("$word"); fi
  done < <(command cli __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if (( $#values )); then compadd -l -d shown -a values; fi
}
if [ "\${funcstack[1]}" = "_cli" ]; then _cli "$@"; else compdef _cli cli; fi
`;

export const zsh: Shell = { script, read: (args) => describedLines(args) };
