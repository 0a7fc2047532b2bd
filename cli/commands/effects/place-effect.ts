import type { Api } from '../../api/api.ts';
import type { Effect } from './effect.ts';

/** The deletion of a site or fleet. Does not ask while it has fleets or robots: the service then refuses. */
export async function placeEffect(api: Api, kind: 'site' | 'fleet', id: string): Promise<Effect> {
  const { sites, fleets } = (await api.get('/api/health-summary', {})).body.data;
  const site = sites.find(({ site_id: each }) => each === id);
  const fleet = fleets.find(({ fleet_id: each }) => each === id);
  const counts = kind === 'site' ? site?.counts : fleet?.counts;
  const inSite = kind === 'site' ? fleets.filter(({ site_id: each }) => each === id).length : 0;
  return {
    title: `Delete ${kind} ${(kind === 'site' ? site?.site_name : fleet?.fleet_name) ?? id}`,
    facts: [
      ['Fleets', inSite === 0 ? undefined : String(inSite)],
      ['Robots', counts && String(counts.total)],
      ['Effect', 'its condition rules, maintenance windows and ended keys are deleted with it'],
    ],
    asks: inSite === 0 && (counts?.total ?? 0) === 0,
  };
}
