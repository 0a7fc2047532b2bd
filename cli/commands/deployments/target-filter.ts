import type { Api } from '../../api/api.ts';
import { idOf } from '../../api/names.ts';
import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/** Finds the ID of `--robot` or `--fleet` of a list, if there is one. @throws CliError, a usage error, for both */
export function targetFilter({ flags }: Invocation): (api: Api) => Promise<string | undefined> {
  const [robot, fleet] = [flags.text('robot'), flags.text('fleet')];
  if (robot !== undefined && fleet !== undefined)
    throw usage('--robot and --fleet exclude each other', 'Use one of the two');
  return async (api) => {
    if (robot !== undefined) return idOf(api, 'robot', robot);
    return fleet === undefined ? undefined : idOf(api, 'fleet', fleet);
  };
}
