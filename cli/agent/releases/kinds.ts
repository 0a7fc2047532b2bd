import { StepFailed, type Handler, type OrderContext } from '../orders/handler.ts';
import { agentKind } from './agent.ts';
import { archiveKind } from './archive.ts';
import { containerImageKind } from './container-image.ts';
import { executableKind } from './executable.ts';
import { findExecutable, namesIn } from './executable-folders.ts';
import { fileKind } from './file.ts';
import { readRelease, type Kind, type ReleaseSettings } from './release.ts';
import { scriptKind } from './script.ts';

const builtIn: Readonly<Record<string, Kind>> = {
  agent: agentKind,
  archive: archiveKind,
  container_image: containerImageKind,
  file: fileKind,
  script: scriptKind,
};

/**
 * The kind that installs these releases here; undefined if there is none. Throws StepFailed for an executable that may
 * not be run.
 */
async function kindOf({ handlerFolders = [] }: ReleaseSettings, name: string): Promise<Kind | undefined> {
  const executable = await findExecutable(handlerFolders, name);
  if (executable !== undefined) return executableKind(executable, name);
  return Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
}

/** Throws StepFailed for a kind without a handler here, and for a payload that is not a release of that kind. */
export async function releaseHandler(settings: ReleaseSettings, name: string, task: OrderContext): Promise<Handler> {
  const kind = await kindOf(settings, name);
  if (!kind) throw new StepFailed('no_handler', `this robot has no handler for releases of kind ${name}`);
  const release = readRelease(task.payload);
  if (release.kind !== name)
    throw new StepFailed('bad_payload', `a release of kind ${release.kind} was sent in the lane of ${name}`);
  return kind.handler(settings, release, task);
}

/** SHA-256 of the running release of this kind, in hex; null if none runs, undefined if unknown. Rejects on failure. */
export async function runningOf(
  settings: ReleaseSettings,
  name: string,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  const kind = await kindOf(settings, name);
  return kind?.running && ((await kind.running(settings, signal)) ?? null);
}

/** The kinds that can be installed here now, sorted, and why executables are not run. */
export async function kindsOf(settings: ReleaseSettings): Promise<{ kinds: string[]; faults: string[] }> {
  const faults: string[] = [];
  async function isOffered(name: string): Promise<boolean> {
    try {
      const kind = await kindOf(settings, name);
      return kind !== undefined && ((await kind.isOffered?.(settings)) ?? true);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
      return false;
    }
  }
  const names = new Set([...Object.keys(builtIn), ...(await namesIn(settings.handlerFolders ?? []))]);
  const offered = await Promise.all([...names].map(isOffered));
  return { kinds: [...names].filter((_name, at) => offered[at]).sort(), faults };
}
