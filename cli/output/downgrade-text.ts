import type { Release, Robot } from '../api/api.ts';

/** Undefined: no robot. */
export const downgradeText = (count: number | undefined): string | undefined =>
  count === undefined || count === 0
    ? undefined
    : `${count} ${count === 1 ? 'robot runs' : 'robots run'} a newer release`;

/** Created later, as another artifact; as the service decides it. */
export const isNewer = (release: Release, than: Release): boolean =>
  release.artifact_sha256 !== than.artifact_sha256 &&
  (release.created_at > than.created_at || (release.created_at === than.created_at && release.id > than.id));

/** ID of the release of the kind that runs by the last report; undefined: nothing, or unknown. */
export function runningReleaseId({ reported }: Robot, kind: string): string | undefined {
  const report = reported.releases[kind];
  return report?.drift ? report.drift.running_release_id : report?.release_id;
}
