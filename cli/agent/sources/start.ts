import { resolve } from 'node:path';
import type { Source, SourceContext } from './source.ts';

export interface SourceSettings {
  /** Files to follow. */
  logFiles: readonly string[];
  /** Commands whose output is a log. */
  commands: readonly string[];
  /** The systemd journal, of these units or of all for none; default: not read. */
  journalUnits?: readonly string[] | undefined;
  /** What every child process gets: nothing that holds a token. */
  environment: Readonly<Record<string, string>>;
}

/** How long one may take to find where it begins: a disk that hangs must not keep a robot offline. */
const beginWithinMs = 2_000;

/** Starts them, to where they begin; one that is not asked for is not even loaded. */
export async function startSources(settings: SourceSettings, context: SourceContext): Promise<Source[]> {
  const { logFiles, commands, journalUnits, environment } = settings;
  const files = logFiles.length > 0 ? await import('./file.ts') : undefined;
  const execs = commands.length > 0 ? await import('./exec.ts') : undefined;
  const journal = journalUnits ? await import('./journal.ts') : undefined;
  const sources: Source[] = [
    ...[...new Set(logFiles.map((path) => resolve(path)))].flatMap((path) => files?.fileSource(path, context) ?? []),
    ...commands.flatMap((command) => execs?.execSource(command, environment, context) ?? []),
    ...(journal && journalUnits ? [journal.journalSource({ units: journalUnits, environment }, context)] : []),
  ];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, beginWithinMs)));
  await Promise.race([late, Promise.all(sources.flatMap(({ begun }) => begun ?? []))]);
  clearTimeout(timer);
  return sources;
}
