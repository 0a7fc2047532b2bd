import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { notFound } from '../kernel/errors.ts';
import type { Page } from '../kernel/page.ts';
import { fleetService } from '../fleets/service.ts';
import { timelineService, type NewTimelineEntry } from '../timeline/service.ts';
import type { HealthStatus, Robot, RobotChange, RobotFilter } from './model.ts';
import { checkNames } from './selector-sql.ts';
import { robotStore } from './store.ts';

export { checkNames, findMissingName, selectorSql } from './selector-sql.ts';
export type { HealthStatus, Robot, RobotFilter };

export type RobotService = ReturnType<typeof robotService>;

export function robotService(db: Knex) {
  const robots = robotStore(db);

  /** @throws not_found */
  async function get(orgId: string, id: string, options?: { lock?: boolean }): Promise<Robot> {
    const robot = await robots.find(orgId, id, options);
    if (!robot) throw notFound('robot');
    return robot;
  }

  return {
    get,
    find: robots.find,
    create: robots.create,
    findByAttempt: robots.findByAttempt,
    retire: robots.retire,
    /** @throws bad_request for a selector that names a missing site, fleet or capability */
    async list(orgId: string, filter: RobotFilter, page: Page): ReturnType<typeof robots.list> {
      if (filter.selector) await checkNames(db, orgId, 'query.label', filter.selector);
      return robots.list(orgId, filter, page);
    },

    /**
     * A move to another fleet includes the move to its site. Returns the robot before and after. Needs a transaction.
     * @throws not_found for the robot or the fleet, conflict if the name is taken
     */
    async update(
      orgId: string,
      id: string,
      { name, labels, fleetId }: RobotChange,
    ): Promise<{ before: Robot; after: Robot }> {
      const before = await get(orgId, id, { lock: true });
      const fleet = fleetId === undefined ? undefined : await fleetService(db).get(orgId, fleetId);
      const changed = await robots.update(orgId, before.id, {
        name,
        labels,
        place: fleet && { siteId: fleet.siteId, fleetId: fleet.id },
      });
      if (!changed) throw notFound('robot');
      const { online, lastSeenAt, duplicateAgentAt, reported, cameras, topics, timezone, health, pin } = before;
      const reportedByAgent = { online, lastSeenAt, duplicateAgentAt, reported, cameras, topics, timezone };
      const after = { ...changed, ...reportedByAgent, health, pin };
      const changes = changesOf(before, after).map((change) => ({ orgId, robotId: before.id, ...change }));
      if (changes.length > 0) await timelineService(db).recordMany(changes);
      return { before, after };
    },

    /** Returns the deleted robot. @throws not_found */
    async delete(orgId: string, id: string): Promise<Robot> {
      const robot = await get(orgId, id, { lock: true });
      await robots.delete(orgId, robot.id);
      return robot;
    },
  };
}

/** The fields on the wire that a robot and its health have in common. */
export const healthFields = ({ status, since, conditions, maintenance }: Robot['health']) => ({
  health_status: status,
  ...(since ? { health_since: since.toISOString() } : {}),
  conditions,
  ...(maintenance ? { maintenance } : {}),
});

/** The timeline entries for a change of the robot. */
function changesOf(before: Robot, after: Robot): Pick<NewTimelineEntry, 'kind' | 'details'>[] {
  const changes: Pick<NewTimelineEntry, 'kind' | 'details'>[] = [];
  if (after.name !== before.name)
    changes.push({ kind: 'renamed', details: { before: before.name, after: after.name } });
  if (after.fleetId !== before.fleetId)
    changes.push({
      kind: 'moved',
      details: {
        before_fleet_id: before.fleetId,
        after_fleet_id: after.fleetId,
        before_site_id: before.siteId,
        after_site_id: after.siteId,
      },
    });
  if (!isDeepStrictEqual(after.labels, before.labels))
    changes.push({ kind: 'labelled', details: { before: before.labels, after: after.labels } });
  return changes;
}
