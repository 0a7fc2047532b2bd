import type { Knex } from 'knex';
import { findFreeze } from '../engine/controls/freeze.ts';
import { readDuration, readZones } from '../engine/plans/forecast-facts.ts';
import {
  forecastWaves,
  forecastWhole,
  type ForecastReason,
  type RobotDuration,
  type WaveForecast,
} from '../engine/plans/forecast.ts';
import type { Plan } from './plan-store.ts';
import type { ForecastView, PlanView } from './plan-wire.ts';

interface Forecast {
  waves: readonly WaveForecast[];
  duration: RobotDuration;
}

/** When the waves of a plan would begin and end if it were executed now. */
export async function forecastOf(db: Knex, orgId: string, { id, rollout }: Plan, view: PlanView): Promise<Forecast> {
  const key = { orgId, planId: id };
  const [{ now, duration }, zones, freeze] = await Promise.all([
    readDuration(db, key),
    rollout?.windows?.zone === 'robot' ? readZones(db, key) : new Map<number, readonly string[]>(),
    findFreeze(db, orgId),
  ]);
  const waves = forecastWaves({
    nowMs: now.getTime(),
    rollout,
    duration,
    waves: view.waves.map(({ number, robots, online }) => ({ robots, online, zones: zones.get(number) ?? [] })),
    held: heldBy(rollout, { isFrozen: freeze !== undefined, conflicts: view.conflicts.length }),
  });
  return { waves, duration };
}

function heldBy(
  rollout: Plan['rollout'],
  { isFrozen, conflicts }: { isFrozen: boolean; conflicts: number },
): ForecastReason | undefined {
  if (rollout?.approval) return 'approval';
  if (isFrozen) return 'frozen';
  return rollout?.supersede === 'finish' && conflicts > 0 ? 'deployment' : undefined;
}

export const withForecast = (view: PlanView, { waves, duration }: Forecast): PlanView => ({
  ...view,
  waves: view.waves.map((wave, index) => ({ ...wave, forecast: forecastView(waves[index] ?? {}) })),
  forecast: {
    ...forecastView(forecastWhole(waves)),
    basis: {
      kind: duration.robots > 0 ? ('measured' as const) : ('default' as const),
      robots: duration.robots,
      median_seconds: duration.medianSeconds,
      p90_seconds: duration.p90Seconds,
    },
  },
});

const forecastView = ({ startsAtMs, endsAtMs, durationSeconds, reason }: WaveForecast): ForecastView => ({
  ...(startsAtMs !== undefined && { starts_at: new Date(startsAtMs).toISOString() }),
  ...(endsAtMs !== undefined && { ends_at: new Date(endsAtMs).toISOString() }),
  ...(durationSeconds !== undefined && { duration_seconds: durationSeconds }),
  ...(reason !== undefined && { reason }),
});
