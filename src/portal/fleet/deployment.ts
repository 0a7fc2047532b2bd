import type { Knex } from 'knex';
import { notFound } from '../../kernel/errors.ts';
import { deploymentService } from '../../deployments/api/service.ts';
import { downgradeFact } from '../downgrades.ts';
import { html, type Html } from '../page.ts';
import { describe, progressOf, type Deployment } from './deployment-rows.ts';
import { bar, numbers } from './health.ts';
import { factList } from './fact-list.ts';
import { instant } from './instant.ts';
import { regionOf, type LivePage } from './live-page.ts';
import { relatedDeployments } from './related-deployments.ts';
import { rolloutRules } from './rollout-rules.ts';
import { targetTables } from './target-tables.ts';
import { deploymentWait } from './wait-text.ts';
import { waveTable } from './waves.ts';

/** The page of a deployment. @throws not_found */
export async function deploymentPage(
  db: Knex,
  orgId: string,
  { kind, id }: { kind: string; id: string },
): Promise<LivePage> {
  if (kind !== 'release' && kind !== 'config') throw notFound('deployment');
  const deployment: Deployment = await deploymentService(db).get(orgId, kind, id);
  const [{ what, target }, robots, related] = await Promise.all([
    describe(db, orgId, [deployment]),
    targetTables(db, orgId, deployment),
    relatedDeployments(db, orgId, deployment),
  ]);
  return {
    title: `Deployment of ${what(deployment)}`,
    before: () => downgradeWarning(db, orgId, deployment),
    region: regionOf(
      html`${facts(deployment, target(deployment))} ${waveTable(deployment)} ${robots.failed}
      ${rolloutRules(deployment)} ${related} ${robots.others}`,
    ),
  };
}

/** Not part of what is updated: to count them with each poll would be too much. */
async function downgradeWarning(db: Knex, orgId: string, deployment: Deployment): Promise<Html> {
  const fact = await downgradeFact(db, orgId, deployment);
  return fact
    ? html`<p class="warning"><strong>${fact.label}.</strong> ${fact.text}. Reload the page to count again.</p>`
    : html``;
}

const facts = (deployment: Deployment, target: Html): Html => {
  const { id, status, reason, paused, rollback, scheduled_at, created_at, started_at, ended_at } = deployment;
  const { plan_id, dynamic, dynamic_until, retry } = deployment;
  const wait = deploymentWait(deployment);
  const why = paused ? causeText(paused) : reason?.replaceAll('_', ' ');
  const rows: Record<string, Html> = {
    State: html`<strong>${status.replace('_', ' ')}</strong> ${why === undefined ? undefined : `(${why})`}`,
    ...(wait && { 'Waits for': wait }),
    To: target,
    ...(dynamic_until !== undefined && {
      'Robots that match later': dynamic
        ? html`receive it too, until ${instant(dynamic_until)}`
        : html`no longer receive it`,
    }),
    ...(rollback && { 'Rolled back': html`${causeText(rollback)}, ${instant(rollback.since)}` }),
    ...(retry && { Attempt: html`${retry.attempt} of ${retry.attempts}${retry.reason && `: ${retry.reason}`}` }),
    Created: instant(created_at),
    ...(scheduled_at !== undefined && { 'Scheduled for': instant(scheduled_at) }),
    ...(started_at !== undefined && { Started: instant(started_at) }),
    ...(ended_at !== undefined && { Ended: instant(ended_at) }),
    ID: html`<code>${id}</code>`,
    ...(plan_id !== undefined && { Plan: html`<code>${plan_id}</code>` }),
  };
  return html`${factList(rows)}
    <h2>Progress</h2>
    <p class="progress">${bar(progressOf(deployment))} ${numbers(progressOf(deployment))}</p>`;
};

/** `aborted: 3 of 10 failed`. */
const causeText = ({ code, reason }: { code: string; reason?: string }): string =>
  [code.replaceAll('_', ' '), ...(reason === undefined ? [] : [reason])].join(': ');
