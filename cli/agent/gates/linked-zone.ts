import { realpathSync } from 'node:fs';

/**
 * The time zone that the link `/etc/localtime` names; undefined without a link, and if `TZ` overrides it. Intl knows
 * the zone too, but an agent that asks it uses 8 MB more.
 */
export function linkedZone(environment: Readonly<Record<string, string>>, link = '/etc/localtime'): string | undefined {
  if (environment['TZ'] !== undefined) return undefined;
  let target: string;
  try {
    target = realpathSync.native(link);
  } catch {
    return undefined;
  }
  const zone = /\/zoneinfo\/(?:posix\/|right\/)?([A-Za-z][\w+\-/]{0,63})$/.exec(target)?.[1];
  // Intl calls it so too.
  return zone === 'Etc/UTC' ? 'UTC' : zone;
}
