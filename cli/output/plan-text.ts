import type { DeploymentPlan } from '../api/api.ts';
import { downgradeText } from './downgrade-text.ts';
import { forecastText } from './forecast-text.ts';

/** `24, 22 online, 3 have it already, 5 in another open deployment, 2 robots run a newer release`. */
export const planCountsText = (plan: DeploymentPlan): string =>
  [robotsText(plan), downgradeText(plan.counts.downgrades)].filter((text) => text !== undefined).join(', ');

function robotsText({ counts }: DeploymentPlan): string {
  const { robots, online, current, conflicts, skipped } = counts;
  return [
    `${robots}, ${online} online`,
    ...(current > 0 ? [`${current} ${current === 1 ? 'has' : 'have'} it already`] : []),
    ...(conflicts > 0 ? [`${conflicts} in another open deployment`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
}

/** What a plan does, for a question. */
export const planFacts = (plan: DeploymentPlan): [label: string, text: string | undefined][] => [
  ['Robots', robotsText(plan)],
  ['Downgrade', downgradeText(plan.counts.downgrades)],
  ['Waves', plan.waves.map((wave) => `${wave.name ?? wave.number}: ${wave.robots}`).join('; ')],
  ['Forecast', forecastText(plan.forecast) || undefined],
  ['Conflicts', plan.conflicts.map(conflictText).join('; ') || undefined],
];

/** `0198c5a2-… (5 robots): replace`. */
const conflictText = ({ deployment_id: id, robots, supersede }: DeploymentPlan['conflicts'][number]) =>
  `${id} (${robots} ${robots === 1 ? 'robot' : 'robots'})${supersede === undefined ? '' : `: ${supersede}`}`;
