import { humanize } from '../../output/deployment-format.ts';
import { safeCell } from '../../output/safe.ts';
import { lineOf, type Line } from '../components/line.ts';
import type { DeploymentTarget } from '../data/data.ts';
import type { Ui } from '../ui.ts';

const isFailed = ({ status }: DeploymentTarget) => status === 'failed' || status === 'rolled_back';

/** Failed robots, then all others, both in their order. */
export const failedFirst = (targets: readonly DeploymentTarget[]): readonly DeploymentTarget[] => [
  ...targets.filter(isFailed),
  ...targets.filter((target) => !isFailed(target)),
];

/** How many robots failed for which reasons, and the first of them with their messages; empty: none failed. */
export function failureSummary(ui: Ui, targets: readonly DeploymentTarget[], rows: number): Line[] {
  const failed = targets.filter(isFailed);
  if (failed.length === 0 || rows < 2) return [];
  const counts = new Map<string, number>();
  for (const { reason = 'no reason reported' } of failed) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${count} ${humanize(safeCell(reason))}`);
  const shown = failed.slice(0, rows - 1);
  const more = failed.length > shown.length ? ', tab lists all' : '';
  return [
    lineOf(` ${ui.theme.signs.degraded} Failed: ${reasons.join(', ')}${more}`, 'bad'),
    ...shown.map(({ robot_id: id, reason, message }): Line => {
      const name = ui.data.robots.get().value?.byId.get(id)?.name ?? id;
      const why = [reason === undefined ? '' : humanize(reason), message?.split('\n')[0] ?? ''].filter(
        (text) => text !== '',
      );
      return {
        segments: [{ text: `   ${safeCell(name)}`, tone: 'strong' }, { text: `  ${safeCell(why.join('  '))}` }],
      };
    }),
  ];
}
