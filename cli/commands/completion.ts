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

/** The script comes only from this version's command table; completion sends no requests. */
export async function completion({ args, catalog, io }: Invocation): Promise<void> {
  io.out.write(scripts[args[0] ?? '']?.(catalog) ?? '');
}
