import type { Invocation } from '../../command-line/command-spec.ts';
import { isShell, shells } from '../../command-line/completion/shells.ts';

/** Prints the shell's script, which asks `cli __complete` for words. */
export async function completion({ args, io }: Invocation): Promise<void> {
  const [shell = ''] = args;
  if (isShell(shell)) io.out.write(shells[shell].script);
}
