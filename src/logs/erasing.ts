import type { Knex } from 'knex';

/** Records of robots that are not in chunks of their own yet, so that they cannot be removed. */
export function unmergedLogs(db: Knex) {
  async function has(sql: string, bindings: Record<string, string>): Promise<boolean> {
    const { rows } = await db.raw<{ rows: [{ found: boolean }] }>(`select exists (${sql}) as found`, bindings);
    return rows[0].found;
  }

  return {
    /** Segments that hold records of the robot beside those of others: they are merged and dropped within 13 minutes. */
    hasSegments: (orgId: string, robotId: string): Promise<boolean> =>
      has(
        `select from log_streams n join log_segments s on s.org_id = n.org_id
          where n.org_id = :orgId and n.robot_id = :robotId
            and n.number between s.first_stream and s.first_stream + octet_length(s.streams) * 8 - 1
            and case when n.number between s.first_stream and s.first_stream + octet_length(s.streams) * 8 - 1
                     then get_bit(s.streams, n.number - s.first_stream) = 1 else false end`,
        { orgId, robotId },
      ),

    /** Counts of the robot that are not added to their hours yet. */
    hasCounts: (orgId: string, robotId: string): Promise<boolean> =>
      has('select from log_stats_pending where org_id = :orgId and :robotId::uuid = any(robot_ids)', {
        orgId,
        robotId,
      }),
  };
}
