import { newId } from '../../../src/kernel/ids.ts';
import { seedFleet, type FleetData } from '../harness/fleet-data.ts';
import { startOurs } from '../harness/ours.ts';
import { median } from '../harness/pairing.ts';
import { limitLine, type Row } from '../harness/row.ts';
import { withClient } from '../harness/sql.ts';

const robots = 100_000;
const calls = 40;
const pageSize = 100;
const goals = { unhealthy: 20, other: 50 }; // ms

/** Filters by what the table of results calls them; the first is the one with a goal of its own. */
const filtersOf = ({ fleetId }: FleetData, releaseId: string): [name: string, query: string][] => [
  ['unhealthy', 'health_status=unhealthy'],
  ['degraded', 'health_status=degraded'],
  ['unknown', 'health_status=unknown'],
  ['healthy', 'health_status=healthy'],
  ['a condition', 'condition=emergency-stop'],
  ['a frequent label', 'label=floor%3D1'],
  ['a rare label', 'label=tier%3Dcanary'],
  ['a fleet', `fleet_id=${fleetId}`],
  ['a release', `release_id=${releaseId}`],
  ['a rare part of the name', 'q=r-99999'],
  ['a frequent part of the name', 'q=amr'],
  ['a part of no name', 'q=nonsense'],
  ['unhealthy of a label and a fleet', `health_status=unhealthy&label=floor%3D1&fleet_id=${fleetId}`],
];

/** The first page of each filter of the list of robots, of an org with 100,000. */
export const filteredListsRow: Row = {
  id: 'K2',
  work: 'a page of 100 of 100,000 robots by each filter: the response',
  against: 'a limit',
  async run(context) {
    const { url } = await context.database('k2');
    const fleet = await seedFleet(url, robots);
    await using server = await startOurs({ DATABASE_URL: url });
    const releaseId = await seedStatus(url, fleet);
    const timeOf = async (query: string) => {
      const startedAt = performance.now();
      const response = await fetch(`${server.url}/api/robots?limit=${pageSize}&${query}`, {
        headers: { Authorization: `Bearer ${fleet.userToken}` },
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${query} was answered ${response.status}: ${text}`);
      return performance.now() - startedAt;
    };
    const lines = [];
    for (const [name, query] of filtersOf(fleet, releaseId)) {
      const times: number[] = [];
      for (let call = 0; call < context.requests(calls); call += 1) times.push(await timeOf(query));
      const goal = name === 'unhealthy' ? goals.unhealthy : goals.other;
      lines.push(limitLine(`ms, ${name}`, median(times.slice(times.length / 4)), goal)); // the first are for the caches
    }
    return lines;
  },
};

/**
 * Of 100 robots 90 are online and known, 2 of these degraded and 1 unhealthy. One of 1,000 has a rare label and runs the
 * release. Returns the release's ID.
 */
const seedStatus = (url: string, { orgId }: FleetData): Promise<string> =>
  withClient(url, async (client) => {
    const [replicaId, releaseId] = [newId(), newId()];
    await client.query(`insert into replicas (id, lease_until) values ($1, now() + interval '1 hour')`, [replicaId]);
    await client.query(
      `create temporary table numbered as
         select id, substring(name from 5)::integer as n from robots where org_id = '${orgId}'`,
    );
    await client.query(
      `insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance)
       select $1, id, 1, case when n % 100 < 90 then $2::uuid end, now(), now(), 'bench/1', 'bench', 'bench' from numbered`,
      [orgId, replicaId],
    );
    await client.query(
      `update robot_status s
          set is_known = n % 100 < 92, severity = case n % 100 when 1 then 2 when 2 then 1 when 3 then 1 else 0 end,
              firing = case when n % 100 in (1, 2, 3) then array[c.id] else '{}' end,
              conditions = case when n % 100 in (1, 2, 3) then jsonb_build_array(jsonb_build_object(
                'rule_id', c.id, 'name', c.name, 'severity', c.severity, 'since', now(), 'message', c.expression)) else '[]' end
         from numbered join condition_rules c on c.org_id = $1
          and c.name = case n % 100 when 1 then 'emergency-stop' else 'battery-low' end
        where s.org_id = $1 and s.robot_id = numbered.id`,
      [orgId],
    );
    await client.query(
      `update robots set labels = labels || '{"tier": "canary"}' from numbered where robots.id = numbered.id and n % 1000 = 0`,
    );
    await client.query(
      `insert into releases (org_id, id, kind, artifact_sha256, artifact_size, tag) values ($1, $2, 'file', $3, 1, 'nav-1.8.2')`,
      [orgId, releaseId, 'a'.repeat(64)],
    );
    await client.query(
      `insert into robot_reports (org_id, robot_id, releases)
       select $1, id, jsonb_build_object('file', jsonb_build_object('release_id', $2::text)) from numbered where n % 1000 = 0
           on conflict (org_id, robot_id) do update set releases = excluded.releases`,
      [orgId, releaseId],
    );
    await client.query('delete from condition_reviews');
    await client.query('vacuum analyze');
    return releaseId;
  });
