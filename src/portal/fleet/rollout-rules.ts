import { parseDuration } from '../../kernel/duration.ts';
import { html, type Html } from '../page.ts';
import type { Deployment } from './deployment-rows.ts';
import { factList } from './fact-list.ts';

type Rollout = NonNullable<Deployment['rollout']>;
type AbortRule = Rollout['abort'][number];
type Windows = NonNullable<Rollout['windows']>;

/** The rules of a rollout, a short line each. Undefined without a rollout. */
export function rolloutRules(deployment: Deployment): Html | undefined {
  const { rollout, urgent, ignore_gates: ignoresGates, ignore_windows: ignoresWindows, allow_ungated: isUngated } = deployment; // prettier-ignore
  if (!rollout) return undefined;
  const { policy_name: policy, advance, abort, pace, gates, approval } = rollout;
  const windows = ignoresWindows ? rollout.ignored_windows : rollout.windows;
  const waitsForAgent = gates?.required && !isUngated;
  const hasNextWave = rollout.wave === 0 || rollout.waves.length > 1;
  const lines: Record<string, readonly string[]> = {
    Policy: policy === undefined ? [] : [policy],
    'Next wave': hasNextWave ? [advanceText(advance)] : [],
    'Stops if': abort.map(abortText),
    Pace: pace ? [`${paceText(pace)}${urgent ? '; ignored, as it is urgent' : ''}`] : [],
    Windows: [...(ignoresWindows ? ['ignored'] : []), ...(windows ? windowTexts(windows) : [])],
    Gates: ignoresGates
      ? ['ignored']
      : waitsForAgent
        ? ['robots whose agent asks no gates wait for a newer agent']
        : [],
    Approval: approval ? [`${approval.people} of role ${approval.role} or higher, within ${approval.expires}`] : [],
    'Older deployments': [supersedeTexts[rollout.supersede ?? 'replace']],
  };
  const facts = Object.entries(lines).flatMap(([name, texts]) => (texts.length === 0 ? [] : [[name, listOf(texts)]]));
  return html`<h2>Rollout</h2>
    ${factList(Object.fromEntries(facts) as Record<string, Html>)}`;
}

const listOf = (texts: readonly string[]): Html => {
  const [first = '', ...others] = texts;
  if (others.length === 0) return html`${first}`;
  return html`<ul class="rules">
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ul>`;
};

const supersedeTexts = {
  replace: 'robots that wait for an older one get this one instead',
  finish: 'must end before this one begins',
  pause: 'are paused when this one begins',
} as const;

const nextTexts = {
  advance: 'it begins by itself',
  pause: 'it begins after a resume',
  approval: 'people must approve it',
} as const;

const advanceText = ({
  applied_percent: applied,
  min_ended: least,
  soak,
  offline_after: offline,
  then,
}: Rollout['advance']): string =>
  [
    `when ${applied} % applied and ${least} ended${parseDuration(soak) === 0 ? '' : `, for a soak of ${soak}`}`,
    ...(offline === undefined ? [] : [`robots offline for ${offline} do not count`]),
    nextTexts[then],
  ].join('; ');

const reasonTexts: Readonly<Record<string, string>> = {
  any: 'failed, became unhealthy or run something else',
  unhealthy: 'became unhealthy',
  drift: 'run something else',
};

const actionTexts = { pause: 'it is paused', cancel: 'it is cancelled', rollback: 'it is rolled back' } as const;

/** `5 % failed or timed out, of 10 ended or more, within 1h: it is paused`. */
function abortText({ reasons, percent, count, min_ended: least, within, per, action }: AbortRule): string {
  const size = percent === undefined ? `${count} ${count === 1 ? 'robot' : 'robots'}` : `${percent} %`;
  const what = reasons.map((reason) => reasonTexts[reason] ?? reason.replaceAll('_', ' ')).join(' or ');
  const parts = [
    `${size} ${what}`,
    ...(least > 1 ? [`of ${least} ended or more`] : []),
    ...(within === undefined ? [] : [`within ${within}`]),
    ...(per === 'wave' ? ['in one wave'] : []),
  ];
  return `${parts.join(', ')}: ${actionTexts[action]}`;
}

function paceText({
  max_in_flight: atOnce,
  per_minute: rate,
  growth,
  downloads_per_site: downloads,
}: NonNullable<Rollout['pace']>): string {
  const highest = growth?.up_to === undefined ? '' : `, up to ${growth.up_to}`;
  return [
    ...(atOnce === undefined ? [] : [`${atOnce} robots at the same time`]),
    ...(rate === undefined ? [] : [`${rate} per minute`]),
    ...(growth ? [`times ${growth.factor} after each ${growth.after_applied} applied${highest}`] : []),
    ...(downloads === undefined ? [] : [`${downloads} downloads at the same time per site`]),
  ].join('; ');
}

const openTexts = (what: string, windows: Windows['activate'] = []): string[] =>
  windows.map(({ cron, duration }) => `${what}: cron ${cron} for ${duration}`);

const windowTexts = ({ download, activate, blackouts = [], zone }: Windows): string[] => [
  ...openTexts('download', download),
  ...openTexts('update', activate),
  ...blackouts.map(({ from, to }) => `closed from ${from} to ${to}`),
  zone === 'robot' ? 'in the time zone of each robot' : `in the time zone ${zone}`,
];
