import { Router, type Request } from 'express';
import type { PortalParts } from '../page-requests.ts';
import type { MemberSession } from '../org-session.ts';
import { deploymentPage } from './deployment.ts';
import { deploymentsQuery, deploymentsRegion, kindLinks } from './deployments.ts';
import { liveVisitor, sendLivePage, type LivePage } from './live-page.ts';
import { overviewCache } from './overview-cache.ts';
import { overviewRegion } from './overview.ts';
import { readQuery } from './query.ts';
import { robotForm } from './robot-form.ts';
import { robotPage } from './robot.ts';
import { robotQuery, robotsRegion } from './robots.ts';

/** The pages of the fleet, for every role. They change nothing. */
export function fleetRoutes(parts: PortalParts): Router {
  const { db } = parts;
  const router = Router({ caseSensitive: true, strict: true });
  const overview = overviewCache((orgId) => overviewRegion(db, orgId));

  /** A page of the visitor's org. */
  const page = (path: string, make: (orgId: string, request: Request) => Promise<LivePage>) =>
    router.get(path, async (request, response) => {
      const visitor: MemberSession | undefined = await liveVisitor(parts, request, response);
      if (!visitor) return;
      await sendLivePage(request, response, visitor, await make(visitor.member.orgId, request));
    });

  page('/portal/fleet', async (orgId, request) => {
    readQuery(request, []);
    return { title: 'Fleet', region: await overview(orgId) };
  });
  page('/portal/fleet/robots', async (orgId, request) => {
    const query = readQuery(request, robotQuery);
    const region = await robotsRegion(db, orgId, query);
    return { title: 'Robots', before: () => robotForm(db, orgId, query), region };
  });
  page('/portal/fleet/robots/:id', async (orgId, request) => {
    readQuery(request, []);
    return robotPage(db, orgId, String(request.params['id']));
  });
  page('/portal/fleet/deployments', async (orgId, request) => {
    const query = readQuery(request, deploymentsQuery);
    const region = await deploymentsRegion(db, orgId, query);
    return { title: 'Deployments', before: async () => kindLinks(query.kind), region };
  });
  page('/portal/fleet/deployments/:kind/:id', async (orgId, request) => {
    readQuery(request, []);
    const { kind, id } = request.params;
    return deploymentPage(db, orgId, { kind: String(kind), id: String(id) });
  });
  return router;
}
