import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { RobotService } from '../robots/service.ts';
import { messageOf, type TimelineEntry } from './model.ts';
import type { TimelineService } from './service.ts';

export const timelineHandlers = (timeline: (db: Knex) => TimelineService, robots: (db: Knex) => RobotService) =>
  ({
    async listRobotTimeline({ caller, db, params, query }) {
      const { after, limit, kind } = query;
      const robot = await robots(db).get(caller.orgId, params.id);
      const entries = await timeline(db).list(caller.orgId, robot.id, { after, limit, kind });
      return { status: 200, body: { items: entries.map(toWire) } };
    },
  }) satisfies Pick<Handlers, 'listRobotTimeline'>;

const toWire = ({ seq, at, kind, details }: TimelineEntry): components['schemas']['TimelineEntry'] => ({
  seq,
  at: at.toISOString(),
  kind,
  message: messageOf({ kind, details }),
  ...(details === undefined ? {} : { details }),
});
