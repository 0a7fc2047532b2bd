import { resolve } from 'node:path';
import type { Source, SourceContext } from './source.ts';

export interface SourceSettings {
  /** Files to follow. */
  logFiles: readonly string[];
  /** Commands whose output is a log. */
  commands: readonly string[];
  /** Units of the systemd journal; an empty list reads all. Default: the journal is not read. */
  journalUnits?: readonly string[] | undefined;
  /** The environment of every child process; it contains no token. */
  environment: Readonly<Record<string, string>>;
}

/** How long a source may take to find its position: a disk that hangs must not keep a robot offline. */
const beginWithinMs = 2_000;

/** Starts the sources and waits for their positions. The modules of unused sources are not loaded. */
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
