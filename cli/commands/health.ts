import { apiOf, type HealthSummary } from '../api/api.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { printList } from './lists.ts';

/** A fleet with its numbers in one row. */
type Row = HealthSummary['robots'] & { fleet_id: string; fleet: string; site: string };

const view: View<Row> = {
  columns: [
    { field: 'fleet', shown: 'table' },
    { field: 'site', shown: 'table', dropped: 2 },
    { field: 'total', header: 'ROBOTS', shown: 'table', dropped: 4 },
    { field: 'online', shown: 'table', dropped: 3 },
    { field: 'healthy', shown: 'table' },
    { field: 'degraded', shown: 'table', tone: ({ degraded }) => (degraded > 0 ? 'warn' : undefined) },
    { field: 'unhealthy', shown: 'table', tone: ({ unhealthy }) => (unhealthy > 0 ? 'bad' : undefined) },
    { field: 'unknown', shown: 'table', tone: () => 'quiet' },
    { field: 'maintenance', shown: 'table', dropped: 1 },
    { field: 'fleet_id', shown: 'wide' },
  ],
  name: ({ fleet }) => fleet,
};

/** The numbers of robots by health, a line for each fleet; for people also how many have each condition. */
export async function showHealth(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const api = await apiOf(call);
  let summary: HealthSummary | undefined;
  await printList(call, {
    what: 'fleets',
    whenEmpty: 'Create one: cli fleets create <name> --site <site>',
    async ask() {
      const reply = await api.get('/api/health-summary', {});
      summary = reply.body.data;
      return { ...reply, body: { items: rowsOf(summary) } };
    },
    view: () => view,
    key: 'fleet_id',
    summary: () => (summary ? summaryText(summary) : ''),
  });
}

function rowsOf({ fleets, sites }: HealthSummary): Row[] {
  const siteNames = new Map(sites.map(({ site_id: id, site_name: name }) => [id, name]));
  return fleets.map(({ fleet_id, fleet_name, site_id, counts }) => ({
    fleet_id,
    fleet: fleet_name,
    site: siteNames.get(site_id) ?? site_id,
    ...counts,
  }));
}

/** `201 robots: 190 healthy, … · battery-low 4, estop 1`. */
function summaryText({ robots, conditions }: HealthSummary): string {
  const counts = (['healthy', 'degraded', 'unhealthy', 'unknown'] as const)
    .filter((name) => robots[name] > 0)
    .map((name) => `${robots[name]} ${name}`);
  if (robots.maintenance > 0) counts.push(`${robots.maintenance} of all in maintenance`);
  const found = conditions.map(({ name, robots: count }) => `${name} ${count}`);
  const total = `${robots.total} robot${robots.total === 1 ? '' : 's'}`;
  return [[total, counts.join(', ')].filter(Boolean).join(': '), found.join(', ')].filter(Boolean).join(' · ');
}
