import { configHandler, type ConfigSettings } from '../configs/handler.ts';
import { releaseHandler } from '../releases/kinds.ts';
import type { ReleaseSettings } from '../releases/release.ts';
import { StepFailed, type Handler, type OrderContext } from './handler.ts';
import type { PayloadSource } from './payload.ts';

export interface LaneSettings {
  config: ConfigSettings;
  releases: Omit<ReleaseSettings, 'source'>;
}

const releaseLane = 'release:';

/**
 * The handler of an order, by its lane. Throws StepFailed for a lane without a handler here, or a payload that does not
 * belong to its lane.
 */
export function handlerOf(
  { config, releases }: LaneSettings,
  source: PayloadSource,
  task: OrderContext,
): Handler | Promise<Handler> {
  const { lane } = task.order;
  if (lane === 'config') return configHandler(config, task);
  if (lane.startsWith(releaseLane))
    return releaseHandler({ ...releases, source }, lane.slice(releaseLane.length), task);
  throw new StepFailed('no_handler', `this robot has no handler for ${lane}`);
}
