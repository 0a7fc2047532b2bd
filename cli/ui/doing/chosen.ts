import type { Listing } from '../../stores/data.ts';
import type { Moment } from '../actions/action.ts';

/** Those of what is chosen that are in this list: a screen may show things of several kinds. */
export const chosenOfList = <T>({ chosen }: Moment, list: Listing<T> | undefined): T[] =>
  chosen.flatMap((id) => list?.byId.get(id) ?? []);

/** Ids of the robots that one is at: that of the robot's own screen, else those chosen. */
export function chosenRobots({ ui, view: { place }, chosen }: Moment): readonly string[] {
  if (place.screen === 'robot' && place.robotId !== undefined) return [place.robotId];
  const known = ui.data.robots.get().value?.byId;
  return place.screen === 'robots' ? chosen.filter((id) => known?.has(id)) : [];
}

/** The fleet that one is at. */
export const chosenFleet = (moment: Moment): string | undefined =>
  chosenOfList(moment, moment.ui.data.fleets.get().value)[0]?.id;
