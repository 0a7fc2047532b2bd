import { configHandler, type ConfigSettings } from '../configs/handler.ts';
import { fileHandler } from '../releases/file.ts';
import { readRelease, type ReleaseSettings } from '../releases/release.ts';
import { scriptHandler } from '../releases/script.ts';
import { StepFailed, type Handler, type Task } from './handler.ts';
import type { PayloadSource } from './payload.ts';

export interface LaneSettings {
  config: ConfigSettings;
  releases: Omit<ReleaseSettings, 'source'>;
}

const releaseHandlers = { file: fileHandler, script: scriptHandler };

/** What carries out the orders of each lane. Throws StepFailed for a lane that nothing here is for, or a payload that is none of its lane. */
export function handlerOf({ config, releases }: LaneSettings, source: PayloadSource, task: Task): Handler {
  const { lane } = task.order;
  if (lane === 'config') return configHandler(config, task);
  const kind = lane.startsWith('release:') ? lane.slice('release:'.length) : undefined;
  if (kind === undefined || !Object.hasOwn(releaseHandlers, kind))
    throw new StepFailed('no_handler', `this robot has no handler for ${lane}`);
  const release = readRelease(task.payload);
  if (release.kind !== kind)
    throw new StepFailed('bad_payload', `a release of kind ${release.kind} came in lane ${lane}`);
  return releaseHandlers[kind as keyof typeof releaseHandlers]({ ...releases, source }, release, task);
}
