import type { Listing } from '../data/data.ts';
import type { ActionContext } from '../actions/action.ts';
import { deploymentOf, type ShownDeployment } from '../deployment/deployment.ts';

/** The item under the cursor, if it is in this list: a screen may show several kinds. */
export const selectedOf = <T>({ selected }: ActionContext, list: Listing<T> | undefined): T | undefined =>
  selected === undefined ? undefined : list?.byId.get(selected);

/** Why a change of one item is disabled: other rows are marked, perhaps hidden ones. */
export const marksDisabledReason = ({ chosen, selected }: ActionContext): string | undefined =>
  chosen.every((id) => id === selected) ? undefined : 'this works on one row; press space to unmark the others';

/** Ids of the selected robots: that of the robot's own screen, else the chosen rows. */
export function chosenRobots({ ui, view: { place }, chosen }: ActionContext): readonly string[] {
  if (place.screen === 'robot' && place.robotId !== undefined) return [place.robotId];
  const known = ui.data.robots.get().value?.byId;
  return place.screen === 'robots' ? chosen.filter((id) => known?.has(id)) : [];
}

interface ChosenTarget {
  robots: readonly string[];
  fleet?: string | undefined;
  /** Text of the selector. */
  selector?: string | undefined;
}

/** What a new deployment is for: the chosen robots or fleet, else the target of the chosen deployment. */
export function chosenTarget(context: ActionContext): ChosenTarget {
  const robots = chosenRobots(context);
  if (robots.length > 0) return { robots };
  const fleet = selectedOf(context, context.ui.data.fleets.get().value)?.id;
  const { target_kind: kind, target_id: id, target_selector: selector } = chosenDeployment(context)?.deployment ?? {};
  const { fleets, robots: known } = context.ui.data;
  if (fleet === undefined && selector !== undefined) return { robots, selector };
  // It may be gone.
  const isKnown = id !== undefined && (kind === 'fleet' ? fleets : known).get().value?.byId.has(id);
  if (fleet !== undefined || !isKnown) return { robots, fleet };
  return kind === 'fleet' ? { robots, fleet: id } : { robots: [id] };
}

/** The deployment of the screen, else the one under the cursor. */
export function chosenDeployment(context: ActionContext): ShownDeployment | undefined {
  const { ui, view } = context;
  const own = view.place.deployment;
  if (own) return deploymentOf(ui, own.deploymentKind, own.id);
  const release = selectedOf(context, ui.data.deployments.get().value);
  if (release) return { deploymentKind: 'release', deployment: release };
  const config = selectedOf(context, ui.data.configDeployments.get().value);
  return config && { deploymentKind: 'config', deployment: config };
}
