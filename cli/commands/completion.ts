import type { Catalog } from '../catalog.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { pwshScript } from '../completion/pwsh.ts';
import { zshScript } from '../completion/zsh.ts';
import type { Invocation } from '../spec.ts';

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
