import type { Shell } from './shell.ts';
import { describedLines } from './described-lines.ts';

/** fish quotes what it inserts. */
const script = `# fish completion for cli
function __cli_complete
    set -l typed (commandline -ct)
    set -l current (string unescape -- "$typed" 2>/dev/null; or string trim -l -c '"\\'' -- "$typed")
    set -l words (commandline -opc) "$current"
    for line in (command cli __complete fish $words[2..-1] 2>/dev/null)
        if test "$line" = \\t
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c cli -f -a '(__cli_complete)'
`;

export const fish: Shell = { script, read: (args) => describedLines(args) };
