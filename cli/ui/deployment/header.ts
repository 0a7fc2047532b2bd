import { deploymentWait } from '../../output/approval-text.ts';
import { doneOf, progressOf, waveOf } from '../../output/deployment-format.ts';
import { dynamicText } from '../../output/dynamic-text.ts';
import { safeCell } from '../../output/safe.ts';
import { widthOf } from '../../output/text-width.ts';
import { bothTimes } from '../../output/time.ts';
import type { DeploymentKind } from '../data/data.ts';
import { age } from '../components/age.ts';
import { cutLine, lineOf, type Line, type Segment } from '../components/line.ts';
import { tabBarLine } from '../components/tab-bar.ts';
import { ago } from '../robot/state.ts';
import type { Signs } from '../theme.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import {
  etaOf,
  deploymentOf,
  progressBar,
  statusText,
  statusTone,
  targetOf,
  whatOf,
  type ShownDeployment,
} from './deployment.ts';
import { factLines } from './facts.ts';

export const deploymentTabs = ['Grid', 'Robots', 'Events', 'Related'] as const;
type DeploymentTab = (typeof deploymentTabs)[number];
export const deploymentTabOf = ({ tab }: View): DeploymentTab => deploymentTabs.find((each) => each === tab) ?? 'Grid';

const barWidth = 20;
/** With fewer rows, the line of times is dropped. */
const rowsForTimes = 14;
/** With fewer rows, no facts are shown; each further row has room for one. */
const rowsForFacts = 20;

/** What is deployed to which target, its progress, and what it waits for; and the tabs. */
export function deploymentHeader(
  ui: Ui,
  view: View,
  deploymentKind: DeploymentKind,
  id: string,
  columns: number,
  rows: number,
): Line[] {
  const { ellipsis } = ui.theme.signs;
  const shown = deploymentOf(ui, deploymentKind, id);
  const { freshness } = (deploymentKind === 'release' ? ui.data.deployments : ui.data.configDeployments).get();
  if (!shown) {
    const isKnown = freshness.kind === 'live';
    return [
      cutLine(
        lineOf(isKnown ? ` deployment ${safeCell(id)} not found` : ` ${safeCell(id)}`, isKnown ? 'warn' : 'quiet'),
        columns,
        ellipsis,
      ),
    ];
  }
  const hasTimes = rows >= rowsForTimes;
  const progress = progressLines(ui, shown, hasTimes ? columns : Infinity);
  return [
    titleLine(ui, shown),
    ...progress,
    ...(hasTimes ? [timesLine(shown)] : []),
    ...factLines(ui, shown).slice(0, Math.max(0, rows - rowsForFacts + 1 - progress.length)),
    tabBarLine(deploymentTabs, deploymentTabOf(view)),
  ].map((line) => cutLine(line, columns, ellipsis));
}

function titleLine(ui: Ui, shown: ShownDeployment): Line {
  const { status, reason, caused_by: cause } = shown.deployment;
  return {
    segments: [
      { text: ` ${safeCell(statusText(status, ui.theme.signs))}`, tone: statusTone(status) },
      { text: `  ${safeCell(whatOf(ui, shown))}`, tone: 'strong' },
      { text: `  for ${safeCell(targetOf(ui, shown))}` },
      { text: reason === undefined ? '' : `  ${safeCell(reason.replaceAll('_', ' '))}`, tone: 'bad' },
      { text: cause ? `  created by the service: the robot ${safeCell(cause.kind)}` : '', tone: 'quiet' },
    ],
  };
}

/** What it waits for has a line of its own if the first one has no room for it. */
function progressLines(ui: Ui, shown: ShownDeployment, columns: number): Line[] {
  const { deployment } = shown;
  const eta = etaOf(shown, Date.now());
  const wait = deploymentWait(deployment);
  const wave = waveOf(deployment);
  const segments: Segment[] = [
    { text: ' ' },
    ...barSegments(shown, ui.theme.signs),
    { text: `  ${progressOf(deployment) || doneOf(deployment)}` },
    { text: wave === '' ? '' : `  ${wave}`, tone: 'strong' },
    { text: eta === undefined ? '' : `  ${eta}`, tone: 'accent' },
  ];
  if (wait === '') return [{ segments }];
  const waits: Segment = { text: `  ${safeCell(wait)}`, tone: 'quiet' };
  const width = [...segments, waits].reduce((sum, { text }) => sum + widthOf(text), 0);
  if (width <= columns) return [{ segments: [...segments, waits] }];
  return [{ segments }, lineOf(waits.text.slice(1), 'quiet')];
}

/** The bar: applied robots in the tone of success, the rest in that of the deployment. */
function barSegments(shown: ShownDeployment, signs: Signs): Segment[] {
  const { status, counts } = shown.deployment;
  const bar = progressBar(shown, barWidth, signs);
  const applied = counts.total === 0 ? 0 : Math.floor((counts.applied / counts.total) * barWidth);
  return [
    { text: bar.slice(0, applied), tone: statusTone('applied') },
    { text: bar.slice(applied), tone: statusTone(status) },
  ];
}

function timesLine({ deployment }: ShownDeployment): Line {
  const { created_at: created, scheduled_at: scheduled, started_at: started, ended_at: ended } = deployment;
  const dynamic = dynamicText(deployment);
  const parts = [
    `created ${ago(age(created))}`,
    dynamic === '' ? '' : `dynamic ${dynamic}`,
    scheduled === undefined ? '' : `scheduled for ${bothTimes(scheduled)}`,
    started === undefined ? '' : `started ${ago(age(started))}`,
    ended === undefined ? '' : `ended ${ago(age(ended))}`,
  ].filter((part) => part !== '');
  return lineOf(` ${safeCell(parts.join('  '))}`, 'quiet');
}
