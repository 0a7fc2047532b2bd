import type { Logger } from 'pino';
import type { TraceSettings } from './trace-settings.ts';
import type { Tracing } from './tracing.ts';

/** Without settings nothing is loaded: the packages take 18 MB of memory. */
export async function startTracing(
  settings: TraceSettings | undefined,
  log: Logger,
  version: string,
): Promise<Tracing | undefined> {
  return settings && (await import('./trace-provider.ts')).createTracing(settings, log, version);
}
