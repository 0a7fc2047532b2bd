import type { Logger } from 'pino';
import type { TraceSettings } from './trace-settings.ts';
import type { Tracing } from './tracing.ts';

/** Without settings nothing is loaded: the packages take 0.1 s and 10 MB. */
export async function startTracing(
  settings: TraceSettings | undefined,
  log: Logger,
  version: string,
): Promise<Tracing | undefined> {
  return settings && (await import('./trace-provider.ts')).createTracing(settings, log, version);
}
