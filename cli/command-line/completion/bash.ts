import type { Catalog } from '../command-spec.ts';
import { completionChoices, completionPoints } from './words.ts';

/** For bash 3.2 and later, with or without bash-completion. */
export function bashScript(catalog: Catalog): string {
  return `# bash completion for cli
_cli() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" next="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
${pathCase(catalog, '    ')}
  done
${wordsCases(catalog, '  ')}
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _cli cli
`;
}

/** Follows the words of the command in `at`; the same code works in bash and zsh. */
export function pathCase(catalog: Catalog, indent: string): string {
  const paths = completionPoints(catalog).flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));
  return `${indent}case "$next" in\n${indent}  ${paths.join('|')}) at="$next" ;;\n${indent}esac`;
}

/** Sets `words` to the candidates at `at`, after the word `prev`. */
export function wordsCases(catalog: Catalog, indent: string): string {
  const choices = completionChoices(catalog).map(
    ({ path, flags, choices: values }) =>
      `${flags.map((flag) => `'${path}:${flag}'`).join('|')}) words='${values.join(' ')}' ;;`,
  );
  const points = completionPoints(catalog).map(({ path, words }) => `'${path}') words='${words.join(' ')}' ;;`);
  return [
    'case "$at:$prev" in',
    ...choices.map((line) => `  ${line}`),
    '  *) case "$at" in',
    ...points.map((line) => `    ${line}`),
    '  esac ;;',
    'esac',
  ]
    .map((line) => `${indent}${line}`)
    .join('\n');
}
