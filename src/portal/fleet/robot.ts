import type { Knex } from 'knex';
import { deploymentService, type DeploymentKind } from '../../deployments/api/service.ts';
import { robotService, type Robot } from '../../robots/service.ts';
import { messageOf, timelineService } from '../../timeline/service.ts';
import { html, type Html } from '../page.ts';
import { deploymentTable, newestOf, type Deployment } from './deployment-rows.ts';
import { conditionList, healthWord } from './health.ts';
import { factList } from './fact-list.ts';
import { instant } from './instant.ts';
import { names } from './names.ts';
import { regionOf, type Region } from './live-page.ts';
import { linkTo } from './query.ts';
import { presence, robotsPath, running } from './robots.ts';
import { rowsOf } from './rows-of.ts';

const maxEntries = 30;
const maxDeployments = 10;

/** The name of a robot, and the region of its page. @throws not_found */
export async function robotPage(db: Knex, orgId: string, id: string): Promise<{ title: string; region: Region }> {
  const robot = await robotService(db).get(orgId, id);
  const [facts, timeline, deployments] = await Promise.all([
    factsOf(db, orgId, robot),
    timelineOf(db, orgId, robot.id),
    deploymentsOf(db, orgId, robot),
  ]);
  return { title: robot.name, region: regionOf(html`${facts} ${healthOf(robot)} ${timeline} ${deployments}`) };
}

async function factsOf(db: Knex, orgId: string, robot: Robot): Promise<Html> {
  const find = names(db, orgId);
  const [sites, fleets] = await Promise.all([find.sites([robot.siteId]), find.fleets([robot.fleetId])]);
  const labels = Object.entries(robot.labels).map(([name, value]) => html`<code>${name}=${value}</code> `);
  const facts: Record<string, Html> = {
    Health: healthWord(robot.health.status),
    Connection: presence({ online: robot.online, last_seen_at: robot.lastSeenAt?.toISOString() }),
    Fleet: html`<a href="${linkTo(robotsPath, { fleet_id: robot.fleetId })}">${fleets.get(robot.fleetId)}</a>`,
    Site: html`<a href="${linkTo(robotsPath, { site_id: robot.siteId })}">${sites.get(robot.siteId)}</a>`,
    Running: running(robot.reported),
    Labels: labels.length === 0 ? html`–` : html`${labels}`,
    Enrolled: instant(robot.createdAt.toISOString()),
    ...(robot.retiredAt && { Retired: instant(robot.retiredAt.toISOString()) }),
    ID: html`<code>${robot.id}</code>`,
  };
  return factList(facts);
}

const healthOf = ({ health: { conditions, maintenance }, pin }: Robot): Html =>
  html`${
      pin &&
      html`<p class="warning">
        Pinned at ${pin.tag} until ${instant(pin.until)} by ${pin.pinned_by}: ${pin.reason}. It gets no other release
        until then.
      </p>`
    }
    ${
      maintenance &&
      html`<p class="warning">
        In maintenance until ${instant(maintenance.until)}: ${maintenance.reason}. Its conditions do not count until
        then.
      </p>`
    }
    <h2>Conditions</h2>
    ${conditionList(conditions, { withMessages: true }) ?? html`<p>None.</p>`}`;

async function timelineOf(db: Knex, orgId: string, robotId: string): Promise<Html> {
  const entries = await timelineService(db).list(orgId, robotId, { limit: maxEntries });
  return html`<h2>Timeline</h2>
    ${entries.length === 0 ? html`<p>No entries.</p>` : undefined}
    <ul class="timeline">
      ${entries
        .reverse()
        .map((entry) => html`<li id="entry-${entry.seq}">${instant(entry.at.toISOString())} ${messageOf(entry)}</li>`)}
    </ul>`;
}

/** Deployments to the robot itself and to its fleet. */
async function deploymentsOf(db: Knex, orgId: string, { id, fleetId }: Robot): Promise<Html> {
  const kinds: DeploymentKind[] = ['release', 'config'];
  const lists = await Promise.all(
    [id, fleetId].flatMap((targetId) =>
      kinds.map(async (kind) => {
        const page = { limit: maxDeployments, newestFirst: true };
        return rowsOf<Deployment>(await deploymentService(db).list(orgId, kind, { targetId }, page));
      }),
    ),
  );
  return html`<h2>Deployments</h2>
    <p>The newest ${maxDeployments} to this robot or to its fleet.</p>
    ${await deploymentTable(db, orgId, {
      title: 'Deployments',
      rows: newestOf(lists.flat(), maxDeployments),
      whenEmpty: 'None.',
    })}`;
}
