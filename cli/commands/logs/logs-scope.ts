import type { Api } from '../../api/api.ts';
import { idOf } from '../../api/names.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { CliError } from '../../command-line/errors.ts';
import { idEndIn } from '../../command-line/id.ts';

/** Whose logs are meant; all must hold. */
export interface LogScope {
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
    robot_id: robot === undefined ? undefined : await robotId(api, robot),
  };
}

/** Logs outlive their robot, and no list completes the short ID that a table prints for a removed one. */
async function robotId(api: Api, robot: string): Promise<string> {
  try {
    return await idOf(api, 'robot', robot);
  } catch (error) {
    const isShort = idEndIn(robot) !== undefined && error instanceof CliError && error.code === 'not_found';
    throw isShort ? error.with({ hint: `${error.hint ?? ''}   ${removedHint}` }) : error;
  }
}

const removedHint = 'A removed robot needs its whole ID, from: cli logs --stats --by robot --since 7d -o tsv';
