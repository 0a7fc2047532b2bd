import type { Robot } from '../api/api.ts';

/** Most versions that are named. */
const maxVersions = 5;

type ReportedRelease = Robot['reported']['releases'][string];

/** What runs in place of a release; `nothing` if nothing does. */
export const runningInstead = ({ running_tag: tag, running_sha256: digest }: NonNullable<ReportedRelease['drift']>) =>
  tag ?? (digest === undefined ? 'nothing' : 'something else');

/** The tag that a robot runs of releases of the kind, or a word for it; undefined: unknown. */
export function runningTag({ reported }: Robot, kind: string): string | undefined {
  const report = reported.releases[kind];
  return report?.drift ? runningInstead(report.drift) : report?.tag;
}

/** `nav-1.8.1 on 19, nav-1.8.0 on 5, unknown on 1`: what the robots run, the most common first; of one robot, its own. */
export function runningNow(robots: readonly Robot[], running: (robot: Robot) => string | undefined): string {
  const counts = new Map<string, number>();
  for (const robot of robots) {
    const version = running(robot) ?? 'unknown';
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  if (robots.length === 1) return [...counts.keys()].join('');
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const named = sorted.slice(0, maxVersions).map(([version, count]) => `${version} on ${count}`);
  const others = sorted.slice(maxVersions).reduce((sum, [, count]) => sum + count, 0);
  return [...named, ...(others > 0 ? [`others on ${others}`] : [])].join(', ');
}
