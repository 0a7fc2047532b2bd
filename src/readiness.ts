import type { Bus } from './platform/bus/bus.ts';
import type { Standby } from './platform/db/standby.ts';

/**
 * Ready if the database responds. A bus that is down only costs speed and delay, a standby that is down only load.
 * `cluster` is present if settings for several replicas are missing.
 */
export async function readiness(
  databaseReplies: () => Promise<boolean>,
  { bus, standby }: { bus: Bus; standby: Standby | undefined },
  warnings: readonly string[],
) {
  const ready = await databaseReplies();
  const cluster = warnings.length > 0 ? { cluster: warnings.join('; ') } : {};
  return {
    ready,
    checks: {
      database: ready ? 'ok' : 'away',
      bus: bus.up ? 'ok' : 'down',
      ...(standby && { standby: standby.state() }),
      ...cluster,
    },
  };
}
