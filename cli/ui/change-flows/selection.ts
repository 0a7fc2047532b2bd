import type { Listing } from '../data/data.ts';
import type { ActionContext } from '../actions/action.ts';

/** What is under the cursor, if it is in this list: a screen may show things of several kinds. */
export const selectedOf = <T>({ selected }: ActionContext, list: Listing<T> | undefined): T | undefined =>
  selected === undefined ? undefined : list?.byId.get(selected);

/** Why a change of one thing is not for what is chosen: others are marked, maybe where nobody sees it. */
export const marksDisabledReason = ({ chosen, selected }: ActionContext): string | undefined =>
  chosen.every((id) => id === selected) ? undefined : 'that is for one; space takes marks away';

/** Ids of the robots that one is at: that of the robot's own screen, else those chosen. */
export function chosenRobots({ ui, view: { place }, chosen }: ActionContext): readonly string[] {
  if (place.screen === 'robot' && place.robotId !== undefined) return [place.robotId];
  const known = ui.data.robots.get().value?.byId;
  return place.screen === 'robots' ? chosen.filter((id) => known?.has(id)) : [];
}

/** The fleet that one is at. */
export const chosenFleet = (context: ActionContext): string | undefined =>
  selectedOf(context, context.ui.data.fleets.get().value)?.id;
