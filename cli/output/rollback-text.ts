import type { DeploymentRollback } from '../api/api.ts';
import { humanize } from './deployment-format.ts';

/** Names of releases, by ID. */
interface ReleaseNames {
  get(id: string): string | undefined;
}

/** What robots return to: a release, or a revision of the config entry. */
export type Earlier = Pick<DeploymentRollback['returns'][number], 'release_id' | 'revision'>;

/** `nav-1.8.1`, or `revision 4`. */
export const earlierText = ({ release_id: id, revision }: Earlier, names: ReleaseNames): string =>
  id === undefined ? `revision ${revision}` : (names.get(id) ?? id);

/** `12 to nav-1.8.1, 3 to nav-1.7`; empty if no robot returns. */
export const returnsText = ({ returns }: DeploymentRollback, names: ReleaseNames): string =>
  returns.map((each) => `${each.robots} to ${earlierText(each, names)}`).join(', ');

/** `2 nothing earlier` for each reason. */
export const excludedTexts = ({ excluded }: DeploymentRollback): string[] =>
  excluded.map(({ robots, code }) => `${robots} ${humanize(code)}`);
