import type { RolloutPolicy } from '../api/api.ts';
import { approvalRuleText } from './approval-text.ts';
import { paceText } from './pace-text.ts';
import { abortText, advanceText, waveText } from './rollout-text.ts';

type Waves = RolloutPolicy['rollout']['waves'];

/** What a plan says of its rollout, with sizes as the policy has them: the service counts the robots when it begins. */
export const rolloutFacts = ({ name, rollout }: RolloutPolicy): [label: string, text: string | undefined][] => [
  ['Rollout', name],
  ['Waves', [...rollout.waves.map(waveText), ...(takesAll(rollout.waves) ? [] : ['then any others'])].join('; ')],
  ['Next wave', advanceText(rollout.advance)],
  ['Approval', approvalRuleText(rollout) || undefined],
  ['Older ones', rollout.supersede],
  ['Abort', rollout.abort.length === 0 ? undefined : rollout.abort.map(abortText).join('; ')],
  ['Pace', rollout.pace && paceText(rollout.pace)],
  ['Window', rollout.windows && windowText(rollout.windows)],
];

type Windows = NonNullable<RolloutPolicy['rollout']['windows']>;

/** `0 22 * * 1-5 for 6h, Europe/Berlin`, of when robots may be disturbed. */
export const windowText = ({ activate, zone }: Windows) =>
  activate &&
  `${activate.map(({ cron, duration }) => `${cron} for ${duration}`).join('; ')}, ${zone === 'robot' ? 'zone of the robot' : zone}`;

/** Percentages of waves without labels are of all robots, rounded up. */
const takesAll = (waves: Waves) =>
  waves.reduce((sum, { selector, percent = 0 }) => sum + (selector === undefined ? percent : 0), 0) >= 100;
