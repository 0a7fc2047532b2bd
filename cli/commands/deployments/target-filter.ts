import type { Api } from '../../api/api.ts';
import { idOf } from '../../api/names.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { wantedTarget } from './deploy-request.ts';

/** Parameters of a list of deployments. */
interface TargetQuery {
  target_id?: string;
  target_selector?: string;
}

/** Reads `--robot`, `--fleet` or `--selector` of a list, if there is one. @throws CliError, a usage error, for several */
export function targetFilter(call: Invocation): (api: Api) => Promise<TargetQuery> {
  const wanted = wantedTarget(call);
  return async (api) => {
    if (!wanted) return {};
    if (wanted.kind === 'selector') return { target_selector: wanted.text };
    return { target_id: await idOf(api, wanted.kind, wanted.text) };
  };
}
