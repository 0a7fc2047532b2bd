import type { Api } from '../../api/api.ts';
import { idOf } from '../../api/names.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/** Whose logs are meant; all must hold. */
interface LogScope {
  fleet_id?: string | undefined;
  site_id?: string | undefined;
  robot_id?: string | undefined;
}

export async function scopeOf({ flags }: Invocation, api: Api): Promise<LogScope> {
  const [site, fleet, robot] = [flags.text('site'), flags.text('fleet'), flags.text('robot')];
  const siteId = site === undefined ? undefined : await idOf(api, 'site', site);
  return {
    site_id: siteId,
    fleet_id: fleet === undefined ? undefined : await idOf(api, 'fleet', fleet, siteId),
    robot_id: robot === undefined ? undefined : await idOf(api, 'robot', robot),
  };
}
