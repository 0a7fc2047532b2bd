import type { ConditionCount, FleetCounts, HealthCounts } from './summary-store.ts';

/** The summary on the wire: what fleets have, summed up for their sites and for the org. */
export function toSummary(
  fleets: readonly FleetCounts[],
  sites: readonly { id: string; name: string }[],
  conditions: readonly ConditionCount[],
) {
  return {
    robots: sum(fleets),
    sites: sites.map(({ id, name }) => ({
      site_id: id,
      site_name: name,
      counts: sum(fleets.filter(({ siteId }) => siteId === id)),
    })),
    fleets: fleets.map(({ fleetId, fleetName, siteId, counts }) => ({
      fleet_id: fleetId,
      fleet_name: fleetName,
      site_id: siteId,
      counts,
    })),
    conditions: conditions.map(({ ruleId, ...rest }) => ({ rule_id: ruleId, ...rest })),
  };
}

function sum(fleets: readonly FleetCounts[]): HealthCounts {
  const total: HealthCounts = {
    total: 0,
    online: 0,
    healthy: 0,
    degraded: 0,
    unhealthy: 0,
    unknown: 0,
    maintenance: 0,
  };
  for (const { counts } of fleets)
    for (const name of Object.keys(total) as (keyof HealthCounts)[]) total[name] += counts[name];
  return total;
}
