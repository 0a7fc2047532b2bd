import type { Listing } from '../data/data.ts';
import type { ActionContext } from '../actions/action.ts';

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

/** The fleet under the cursor. */
export const chosenFleet = (context: ActionContext): string | undefined =>
  selectedOf(context, context.ui.data.fleets.get().value)?.id;
