import { StepFailed, type Handler, type Task } from '../orders/handler.ts';
import { archiveKind } from './archive.ts';
import { fileKind } from './file.ts';
import { readRelease, type Kind, type ReleaseSettings } from './release.ts';
import { scriptKind } from './script.ts';

const builtIn: Readonly<Record<string, Kind>> = { archive: archiveKind, file: fileKind, script: scriptKind };

/** What installs releases of this kind here; undefined where nothing does. */
const kindOf = (name: string): Kind | undefined => (Object.hasOwn(builtIn, name) ? builtIn[name] : undefined);

/** Throws StepFailed for a kind that nothing here is for, and for a payload that is no release of it. */
export function releaseHandler(settings: ReleaseSettings, name: string, task: Task): Handler {
  const kind = kindOf(name);
  if (!kind) throw new StepFailed('no_handler', `this robot has no handler for releases of kind ${name}`);
  const release = readRelease(task.payload);
  if (release.kind !== name)
    throw new StepFailed('bad_payload', `a release of kind ${release.kind} came in the lane of ${name}`);
  return kind.handler(settings, release, task);
}

/** SHA-256 of what runs now of this kind, in hex; null where nothing does, undefined where nobody can tell. */
export async function runningOf(settings: ReleaseSettings, name: string): Promise<string | null | undefined> {
  const kind = kindOf(name);
  return kind?.running && ((await kind.running(settings)) ?? null);
}
