import { newId } from '../../../src/kernel/ids.ts';
import { factsOf, mintToken } from '../../../src/kernel/tokens.ts';
import { withClient } from './sql.ts';

/** An approved org with one operator, one site, one fleet and its robots. */
export interface FleetData {
  orgId: string;
  /** A `svc_user_` token of the operator. */
  userToken: string;
  fleetId: string;
  robotIds: string[];
}

/**
 * Written in plain SQL, so that 10,000 robots take a second. Robots carry one label each; their times lie 1 ms apart. The
 * token is a new one by default.
 */
export async function seedFleet(
  url: string,
  robots: number,
  userToken: string = mintToken('user').value,
): Promise<FleetData> {
  const token = factsOf('user', userToken);
  const [orgId, userId, siteId, fleetId] = [newId(), newId(), newId(), newId()];
  const robotIds = Array.from({ length: robots }, () => newId());
  await withClient(url, async (client) => {
    await client.query(`insert into orgs (id, name, status, approved_at) values ($1, 'Bench', 'approved', now())`, [
      orgId,
    ]);
    await client.query(`insert into users (org_id, id, email, role) values ($1, $2, 'bench@example.com', 'operator')`, [
      orgId,
      userId,
    ]);
    await client.query(
      `insert into tokens (org_id, id, kind, digest, last_four, user_id) values ($1, $2, 'user', $3, $4, $5)`,
      [orgId, newId(), token.digest, token.lastFour, userId],
    );
    await client.query(`insert into sites (org_id, id, name) values ($1, $2, 'Osaka')`, [orgId, siteId]);
    await client.query(`insert into fleets (org_id, id, site_id, name) values ($1, $2, $3, 'pickers')`, [
      orgId,
      fleetId,
      siteId,
    ]);
    await client.query(
      `insert into robots (org_id, id, name, site_id, fleet_id, labels, enrollment_key_id, created_at)
       select $1, id, 'amr-' || n, $2, $3, jsonb_build_object('floor', (n % 4)::text), $4, now() - interval '1 day' + n * interval '1 ms'
       from unnest($5::uuid[]) with ordinality as robot (id, n)`,
      [orgId, siteId, fleetId, newId(), robotIds],
    );
    await client.query('analyze');
  });
  return { orgId, userToken, fleetId, robotIds };
}

/** A `svc_robot_` token for each of these robots, in their order. */
export async function seedRobotTokens(url: string, { orgId, robotIds }: FleetData): Promise<string[]> {
  const tokens = robotIds.map(() => mintToken('robot'));
  await withClient(url, async (client) => {
    await client.query(
      `insert into tokens (org_id, id, kind, digest, last_four, robot_id)
       select $1, id, 'robot', digest, last_four, robot_id
       from unnest($2::uuid[], $3::bytea[], $4::text[], $5::uuid[]) as token (id, digest, last_four, robot_id)`,
      [
        orgId,
        tokens.map(() => newId()),
        tokens.map(({ digest }) => digest),
        tokens.map(({ lastFour }) => lastFour),
        robotIds,
      ],
    );
    await client.query('analyze');
  });
  return tokens.map(({ value }) => value);
}
