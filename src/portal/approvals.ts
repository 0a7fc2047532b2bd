import { Router } from 'express';
import { badRequest, notFound } from '../kernel/errors.ts';
import { approvalService, deploymentService, type DeploymentKind } from '../deployments/api/service.ts';
import { approvalForm, approvalPage, approvalsPath, approvalTable } from './approval-page.ts';
import { changeByForm } from './change.ts';
import type { Deployment } from './fleet/deployment-rows.ts';
import { rowsOf } from './fleet/rows-of.ts';
import { orgNav, sessionInOrg } from './org-session.ts';
import { html, sendPage } from './page.ts';
import { redirect, type PortalParts } from './page-requests.ts';

/** Most of each kind on the page. */
const maxShown = 100;
const maxReason = 500;

const operations = { release: 'createDeploymentApproval', config: 'createConfigDeploymentApproval' } as const;
const objectKinds = { release: 'deployment', config: 'config_deployment' } as const;

/** @throws not_found */
function readKind(text: unknown): DeploymentKind {
  if (text !== 'release' && text !== 'config') throw notFound('deployment');
  return text;
}

/** @throws bad_request */
function readDecision(text: string | undefined): 'approve' | 'reject' {
  if (text !== 'approve' && text !== 'reject') throw badRequest('the decision must be approve or reject');
  return text;
}

/** What people must approve, for every role: whether a role is enough depends on the deployment. */
export function approvalRoutes(parts: PortalParts): Router {
  const { db } = parts;
  const router = Router({ caseSensitive: true, strict: true });

  router.get(approvalsPath, async (request, response) => {
    const visitor = await sessionInOrg(parts, request, response, 'viewer');
    if (!visitor) return;
    const { session, member } = visitor;
    const list = async (kind: DeploymentKind) =>
      rowsOf<Deployment>(
        await deploymentService(db).list(member.orgId, kind, { awaitsApproval: true }, { limit: maxShown + 1 }),
      );
    const lists = [await list('release'), await list('config')];
    const rows = lists.flatMap((each) => each.slice(0, maxShown));
    const isCut = lists.some(({ length }) => length > maxShown);
    const body = html`${orgNav(member)} ${await approvalTable(db, member.orgId, rows)}
    ${isCut ? html`<p>Only the first ${maxShown} of releases and of configs are shown.</p>` : undefined}`;
    sendPage(response, { title: 'Approvals', session, body });
  });

  router.get(`${approvalsPath}/:kind/:id`, async (request, response) => {
    const visitor = await sessionInOrg(parts, request, response, 'viewer');
    if (!visitor) return;
    const { session, member } = visitor;
    const kind = readKind(request.params['kind']);
    const deployment: Deployment = await deploymentService(db).get(member.orgId, kind, request.params['id']);
    const { title, body } = await approvalPage(db, member.orgId, kind, deployment);
    const form = deployment.approval && approvalForm(visitor, kind, deployment.id, deployment.approval);
    sendPage(response, { title, session, body: html`${orgNav(member)} ${body} ${form}` });
  });

  router.post(`${approvalsPath}/:kind/:id`, async (request, response) => {
    const kind = readKind(request.params['kind']);
    const rule = { least: 'viewer', operation: operations[kind] } as const;
    await changeByForm(parts, request, response, rule, async ({ trx, orgId, userId, role, form }) => {
      const { plan_hash: planHash = '', wave = '', reason = '' } = form;
      if (reason.length > maxReason) throw badRequest(`the reason must have at most ${maxReason} characters`);
      if (!/^\d{1,2}$/.test(wave)) throw badRequest('the wave must be a number');
      const { before, after, announce } = await approvalService(trx).decide(orgId, kind, request.params['id'], {
        by: { kind: 'user', id: userId, role },
        decision: readDecision(form['decision']),
        planHash,
        wave: Number(wave),
        reason: reason.trim() === '' ? undefined : reason.trim(),
      });
      const about = { objectKind: objectKinds[kind], objectId: after.id, before, after };
      return { result: undefined, ...about, isUnchanged: before === after, announce };
    });
    redirect(response, approvalsPath);
  });

  return router;
}
