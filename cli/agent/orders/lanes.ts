import { configHandler, type ConfigSettings } from '../configs/handler.ts';
import { releaseHandler } from '../releases/kinds.ts';
import type { ReleaseSettings } from '../releases/release.ts';
import { StepFailed, type Handler, type Task } from './handler.ts';
import type { PayloadSource } from './payload.ts';

export interface LaneSettings {
  config: ConfigSettings;
  releases: Omit<ReleaseSettings, 'source'>;
}

const releaseLane = 'release:';

/** What carries out the orders of each lane. Throws StepFailed for a lane that nothing here is for, or a payload that is none of its lane. */
export function handlerOf(
  { config, releases }: LaneSettings,
  source: PayloadSource,
  task: Task,
): Handler | Promise<Handler> {
  const { lane } = task.order;
  if (lane === 'config') return configHandler(config, task);
  if (lane.startsWith(releaseLane))
    return releaseHandler({ ...releases, source }, lane.slice(releaseLane.length), task);
  throw new StepFailed('no_handler', `this robot has no handler for ${lane}`);
}
