import { approvalRuleText } from '../../output/approval-text.ts';
import { paceFact, windowFacts } from '../../output/rollout-facts.ts';
import { safeCell } from '../../output/safe.ts';
import type { Line } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import { madeOf } from './related.ts';
import { deploymentOf, whatOf, type ShownDeployment } from './deployment.ts';

const labelWidth = 11;

/** What the deployment retries or rolls back, and the rules of its rollout, one line each. */
export const factLines = (ui: Ui, shown: ShownDeployment): Line[] =>
  factsOf(ui, shown).flatMap(([label, text]) =>
    text === undefined || text === ''
      ? []
      : [{ segments: [{ text: ` ${label.padEnd(labelWidth)}`, tone: 'quiet' }, { text: safeCell(text) }] }],
  );

const tabbed = (text: string) => text && `${text}, on the tab Related`;

function factsOf(ui: Ui, shown: ShownDeployment): readonly [label: string, text: string | undefined][] {
  const { retry_of: retried, retry, rollback_of: original, rollout, urgent } = shown.deployment;
  const { ignore_gates: ignored, ignore_windows: ignoresWindows, allow_ungated: isUngated } = shown.deployment;
  /** `nav-1.8.2, <id>` if it is known, else its ID. */
  const named = (id: string) => {
    const other = deploymentOf(ui, shown.deploymentKind, id);
    return other ? `${whatOf(ui, other)}, ${id}` : id;
  };
  const attempt = retry ? `attempt ${retry.attempt} of ${retry.attempts}${retry.reason === undefined ? '' : `: ${retry.reason}`}` : ''; // prettier-ignore
  const gates = rollout?.gates;
  const isDowngrade = 'allow_downgrade' in shown.deployment && shown.deployment.allow_downgrade;
  return [
    ['Retry of', retried && `${named(retried)}  ${attempt}`],
    ['Rollback of', original && named(original)],
    ['Retries', tabbed(madeOf(ui, shown, 'retried by'))],
    ['Rollbacks', tabbed(madeOf(ui, shown, 'rolled back by'))],
    paceFact(rollout?.pace, urgent),
    ...windowFacts(ignoresWindows ? rollout?.ignored_windows : rollout?.windows, ignoresWindows),
    ['Downgrade', isDowngrade ? 'allowed' : ''],
    ['Gates', ignored ? 'ignored' : gates && `event after ${gates.max_wait}${gates.required && !isUngated ? ', robots whose agent asks no gates wait for a newer agent' : ''}`], // prettier-ignore
    ['Approval', rollout && approvalRuleText(rollout)],
  ];
}
