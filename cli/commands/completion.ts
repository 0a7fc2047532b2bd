import type { Catalog, Invocation } from '../command-line/command-spec.ts';
import { bashScript } from '../command-line/completion/bash.ts';
import { fishScript } from '../command-line/completion/fish.ts';
import { pwshScript } from '../command-line/completion/pwsh.ts';
import { zshScript } from '../command-line/completion/zsh.ts';

const scripts: Partial<Record<string, (catalog: Catalog) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  pwsh: pwshScript,
};

/** Everything in the script comes from the command table of this version; nothing is asked while completing. */
export async function completion({ args, catalog, io }: Invocation): Promise<void> {
  io.out.write(scripts[args[0] ?? '']?.(catalog) ?? '');
}
