import type { RolloutPolicy } from '../api/api.ts';
import { approvalRuleText } from './approval-text.ts';
import { paceText } from './pace-text.ts';
import { abortText, advanceText, waveText } from './rollout-text.ts';

type Waves = RolloutPolicy['rollout']['waves'];

/** What a plan says of its rollout, with sizes as the policy has them: the service counts the robots when it begins. */
export const rolloutFacts = (
  { name, rollout }: RolloutPolicy,
  { isUrgent, ignoresWindows }: { isUrgent?: true | undefined; ignoresWindows?: true | undefined } = {},
): [label: string, text: string | undefined][] => [
  ['Rollout', name],
  ['Waves', [...rollout.waves.map(waveText), ...(takesAll(rollout.waves) ? [] : ['then any others'])].join('; ')],
  ['Next wave', advanceText(rollout.advance)],
  ['Approval', approvalRuleText(rollout) || undefined],
  ['Older ones', rollout.supersede],
  ['Abort', rollout.abort.length === 0 ? undefined : rollout.abort.map(abortText).join('; ')],
  paceFact(rollout.pace, isUrgent),
  ...windowFacts(rollout.windows, ignoresWindows),
];

/** The pace, with `, ignored: urgent` if the deployment is. */
export function paceFact(
  pace: RolloutPolicy['rollout']['pace'],
  isUrgent = false,
): [label: string, text: string | undefined] {
  const text = paceText(pace);
  return ['Pace', text === '' ? undefined : `${text}${isUrgent ? ', ignored: urgent' : ''}`];
}

type Windows = NonNullable<RolloutPolicy['rollout']['windows']>;

/**
 * When robots may be disturbed, as in `0 22 * * 1-5 for 6h, Europe/Berlin, finish at the end`, when they download, and the
 * dates on which neither is allowed; with `, ignored` if the deployment ignores them.
 */
export function windowFacts(
  windows: Windows | undefined,
  isIgnored = false,
): [label: string, text: string | undefined][] {
  if (!windows) return isIgnored ? [['Window', 'ignored']] : [];
  const { activate, download, blackouts, zone, at_end: atEnd } = windows;
  const where = zone === 'robot' ? 'zone of the robot' : zone;
  const ignored = isIgnored ? ', ignored' : '';
  const textOf = (each: typeof activate) =>
    each && `${each.map(({ cron, duration }) => `${cron} for ${duration}`).join('; ')}, ${where}`;
  const days = blackouts?.map(({ from, to }) => (from === to ? from : `${from}..${to}`)).join(', ');
  return [
    ['Window', activate && `${textOf(activate)}, ${atEnd} at the end${ignored}`],
    ['Downloads', download && `${textOf(download)}${ignored}`],
    ['Closed', days && `${days}${ignored}`],
  ];
}

/** Percentages of waves without labels are of all robots, rounded up. */
const takesAll = (waves: Waves) =>
  waves.reduce((sum, { selector, percent = 0 }) => sum + (selector === undefined ? percent : 0), 0) >= 100;
