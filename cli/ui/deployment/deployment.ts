import { endedOf, isTerminal, humanize, toneOf } from '../../output/deployment-format.ts';
import { span } from '../../output/units.ts';
import type { ConfigDeployment, Deployment, DeploymentKind } from '../data/data.ts';
import { cutTo } from '../../output/text-width.ts';
import type { Signs, Tone } from '../theme.ts';
import type { Ui } from '../ui.ts';

/** A deployment of either kind. */
export type ShownDeployment =
  { deploymentKind: 'release'; deployment: Deployment } | { deploymentKind: 'config'; deployment: ConfigDeployment };

export function deploymentOf({ data }: Ui, deploymentKind: DeploymentKind, id: string): ShownDeployment | undefined {
  if (deploymentKind === 'release') {
    const deployment = data.deployments.get().value?.byId.get(id);
    return deployment && { deploymentKind, deployment };
  }
  const deployment = data.configDeployments.get().value?.byId.get(id);
  return deployment && { deploymentKind, deployment };
}

/** Display name of what is deployed. */
export function whatOf({ data }: Ui, shown: ShownDeployment): string {
  if (shown.deploymentKind === 'config') {
    const { namespace, key, revision } = shown.deployment;
    return `${namespace}/${key} #${revision}`;
  }
  const id = shown.deployment.release_id;
  return data.releases.get().value?.byId.get(id)?.tag ?? id;
}

/** `fleet pickers`. */
export const targetOf = (ui: Ui, shown: ShownDeployment): string =>
  `${shown.deployment.target_kind} ${targetNameOf(ui, shown)}`;

/** Display name of the target. */
export function targetNameOf({ data }: Ui, { deployment }: ShownDeployment): string {
  const { target_kind: kind, target_id: id, target_selector: selector } = deployment;
  const list: { byId: ReadonlyMap<string, { name: string }> } | undefined =
    kind === 'fleet' ? data.fleets.get().value : data.robots.get().value;
  return selector ?? list?.byId.get(id)?.name ?? id;
}

/** An active status is busy, and so is an unknown one. */
export const statusTone = (status: string): Tone => toneOf(status) ?? 'busy';

function statusSign(status: string, signs: Signs): string {
  if (status === 'applied') return signs.mark;
  if (status === 'failed' || status === 'rolled_back') return signs.degraded;
  return isTerminal(status) || status === 'scheduled' ? signs.offline : signs.busy;
}

export const statusText = (status: string, signs: Signs) => `${statusSign(status, signs)} ${humanize(status)}`;

/** Share of the robots that have ended; empty before the robots are fixed. */
export function progressBar({ deployment: { counts } }: ShownDeployment, width: number, signs: Signs): string {
  if (counts.total === 0) return '';
  const full = Math.floor((endedOf(counts) / counts.total) * width);
  return (Array.from(signs.bars).at(-1) ?? '#').repeat(full) + signs.lines[0].repeat(width - full);
}

/** Ended robots of all robots, with a bar if the whole bar fits. */
export function endedText(
  shown: ShownDeployment,
  width: number,
  signs: Signs,
  cells = Number.POSITIVE_INFINITY,
): string {
  const { counts } = shown.deployment;
  if (counts.total === 0) return '';
  const text = `${endedOf(counts)}/${counts.total}`;
  return text.length + 1 + width <= cells ? `${text} ${progressBar(shown, width, signs)}` : text;
}

/** With fewer ended robots, the pace is unknown. */
const leastEnded = 3;

/** Remaining time at the pace so far; undefined: unknown. */
export function etaOf({ deployment }: ShownDeployment, nowMs: number): string | undefined {
  const { counts, started_at: started, status, waiting_on: wait } = deployment;
  const ended = endedOf(counts);
  if (started === undefined || status !== 'in_progress' || ended < leastEnded || wait?.code === 'robots_offline')
    return undefined;
  const elapsedMs = Math.max(0, nowMs - Date.parse(started));
  const leftMs = (elapsedMs / ended) * (counts.total - ended);
  return leftMs > 0 ? `about ${cutTo(span(leftMs / 1000), 12, '')} left at this rate` : undefined;
}
