import type { Catalog } from '../command-spec.ts';
import { flagsOf } from '../global-flags.ts';
import type { FlagSpec } from '../flag-spec.ts';
import { completionPoints } from './words.ts';

export function fishScript(catalog: Catalog): string {
  const { commands } = catalog;
  const points = completionPoints(catalog);
  const paths = points.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]));
  const groups = points.filter(({ path }) => !commands.some((command) => command.path === path));
  return `# fish completion for cli
function __cli_at
    set -l known ${paths.join(' ')}
    set -l at ''
    for typed in (commandline -opc)[2..-1]
        set -l next (string trim "$at $typed")
        contains -- $next $known; and set at $next
    end
    test "$at" = "$argv[1]"
end
complete -c cli -f
${groups.flatMap(({ path, words }) => words.map((word) => wordLine(catalog, path, word))).join('\n')}
${commands.flatMap((command) => flagsOf(command).map((flag) => flagLine(command.path, flag))).join('\n')}
${commands.flatMap(({ path, arguments: args = [] }) => args.flatMap(({ choices }) => (choices ? [`${at(path)} -a ${quoted(choices.join(' '))}`] : []))).join('\n')}
`;
}

const at = (path: string) => `complete -c cli -n ${quoted(`__cli_at "${path}"`)}`;

function wordLine(catalog: Catalog, path: string, word: string): string {
  const full = path === '' ? word : `${path} ${word}`;
  const about = catalog.topic(full) ?? catalog.find(full.split(' '))?.summary ?? '';
  return `${at(path)} -a ${word} -d ${quoted(about)}`;
}

function flagLine(path: string, { name, short, type, choices, description, on }: FlagSpec): string {
  const value = type === 'boolean' ? '' : choices ? ` -xa ${quoted(choices.join(' '))}` : ' -x';
  return `${at(path)} -l ${on ? 'no-' : ''}${name}${short === undefined ? '' : ` -s ${short}`}${value} -d ${quoted(description)}`;
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
