import type { Knex } from 'knex';
import { listReply } from '../../platform/http/reply/list.ts';
import type { Handlers } from '../../platform/http/dispatch/operation.ts';
import type { ShellSessionService } from './service.ts';

export const shellSessionHandlers = (sessions: (db: Knex) => ShellSessionService) =>
  ({
    listShellSessions: ({ caller, db, query }) =>
      listReply(query, (page) => sessions(db).list(caller.orgId, { robotId: query.robot_id }, page)),

    async downloadShellRecording({ caller, db, params }) {
      const recording = await sessions(db).openRecording(caller.orgId, params.id);
      return {
        status: 200,
        download: { type: 'application/x-asciicast', ...recording },
        audit: { orgId: caller.orgId, objectKind: 'shell_session', objectId: params.id },
      };
    },
  }) satisfies Pick<Handlers, 'listShellSessions' | 'downloadShellRecording'>;
