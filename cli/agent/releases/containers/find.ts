import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { StepFailed } from '../../orders/handler.ts';
import type { ReleaseSettings } from '../release.ts';
import { containerEngine, engineNames, type Engine, type EngineSettings } from './engine.ts';
import { containerNames } from './stage.ts';

/** The engines that may be used here, the preferred one first. */
export const candidates = ({ containerEngine: only }: ReleaseSettings): readonly string[] =>
  only === undefined ? engineNames : [only];

/** The engine that holds a container of ours, else the first that works. Throws StepFailed (no_engine) if none does. */
export async function findEngine(settings: ReleaseSettings, engineSettings: EngineSettings): Promise<Engine> {
  const working: Engine[] = [];
  const complaints: string[] = [];
  for (const name of candidates(settings)) {
    const engine = containerEngine(name, engineSettings);
    try {
      const list = ['ps', '--all', '--filter', `name=${containerNames.current}`, '--format', '{{.Names}}'];
      const names = (await engine.call(list)).split('\n');
      if (names.some((each) => Object.values(containerNames).includes(each.trim()))) return engine;
      working.push(engine);
    } catch (error) {
      complaints.push(error instanceof Error ? error.message : String(error));
    }
  }
  const [first] = working;
  if (!first) throw new StepFailed('no_engine', `no container engine works here. ${complaints.join('. ')}`);
  return first;
}

/** Search path if `PATH` is not set. */
const usualPath = '/bin:/usr/bin';

/**
 * Whether the program of an engine is installed. Does not check that the engine works: that takes seconds if it sleeps,
 * and may change before the order.
 */
export async function isEngineThere(settings: ReleaseSettings): Promise<boolean> {
  const folders = (settings.environment?.['PATH'] ?? usualPath).split(':');
  const paths = folders.flatMap((folder) => candidates(settings).map((name) => join(folder, name)));
  const found = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
