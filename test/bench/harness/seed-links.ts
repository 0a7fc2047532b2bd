import { newId } from '../../../src/kernel/ids.ts';
import { withClient } from './sql.ts';

/** A link of a replica that lives, for each robot. Returns the ID of the replica. */
export async function seedLinks(url: string): Promise<string> {
  const replicaId = newId();
  await withClient(url, async (client) => {
    await client.query(`insert into replicas (id, lease_until) values ($1, now() + interval '1 day')`, [replicaId]);
    await client.query(
      `insert into robot_links (org_id, robot_id, epoch, replica_id, connected_at, last_seen_at, agent_version, boot_id, instance, takes_orders)
       select org_id, id, 1, $1, now(), now(), 'bench/1', 'bench', 'bench', true from robots`,
      [replicaId],
    );
    await client.query('vacuum analyze robot_links');
  });
  return replicaId;
}
