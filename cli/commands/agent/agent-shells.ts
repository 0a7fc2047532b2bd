import { accountOf, type Account } from '../../agent/shell/account.ts';
import { usage } from '../../command-line/errors.ts';
import type { Flags } from '../../command-line/flag-spec.ts';

/** The shell settings of `agent run`; undefined without them. Throws CliError if they cannot apply. */
export async function readShellFlags(flags: Flags): Promise<{ account: Account; killsAll: boolean } | undefined> {
  const user = flags.text('shell-user');
  const killsAll = flags.on('shell-kill-all');
  if (!flags.on('allow-shell')) {
    if (user === undefined && !killsAll) return undefined;
    throw usage(
      `--${user === undefined ? 'shell-kill-all' : 'shell-user'} requires --allow-shell`,
      'Add --allow-shell',
    );
  }
  const account = await accountOf(user).catch((error: unknown) => {
    throw usage(error instanceof Error ? error.message : String(error));
  });
  return { account, killsAll };
}
