import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { forbidden, unauthorized } from '../../kernel/errors.ts';
import { peopleService } from '../../people/service.ts';
import { isKnown } from '../../platform/http/reply/etags.ts';
import { checkMember, orgNav, sessionInOrg, type MemberSession } from '../org-session.ts';
import { html, pageHeaders, sendPage, type Html } from '../page.ts';
import type { PortalParts } from '../page-requests.ts';

/** The part of a page that changes, with its ETag. */
export interface Region {
  markup: Html;
  tag: string;
}

export interface LivePage {
  title: string;
  before?: () => Promise<Html>; // what does not change, such as the form of the filters; not computed for polls
  region: Region;
}

/** The header by which the script of a page asks for its region alone. Its value is the org of the page. */
const pollHeader = 'live-org';

export const regionOf = (markup: Html): Region => ({
  markup,
  tag: `"${createHash('sha256').update(markup.text).digest('base64url')}"`,
});

/**
 * The visitor of a live page, which every role may read. A poll does not prolong the session, and is of the org that the
 * page shows, even if another tab has chosen a different one.
 * @throws unauthorized for a poll without a session, forbidden for a person or an org that has lost the access
 */
export async function liveVisitor(
  parts: PortalParts,
  request: Request,
  response: Response,
): Promise<MemberSession | undefined> {
  const orgId = request.headers[pollHeader];
  if (orgId === undefined) return sessionInOrg(parts, request, response, 'viewer');
  const session = await parts.sessions.peek(request);
  if (!session) throw unauthorized('you are signed out');
  const memberships = await peopleService(parts.db).memberships(session.personId);
  const member = memberships.find((each) => each.orgId === orgId);
  if (!member) throw forbidden('you do not belong to the organization of this page');
  checkMember(member, 'viewer');
  return { session, member };
}

/** Responds with the page; to its script with the region alone, or 304 if it has not changed. */
export async function sendLivePage(
  request: Request,
  response: Response,
  { session, member }: MemberSession,
  { title, before, region }: LivePage,
): Promise<void> {
  if (request.headers[pollHeader] !== undefined) {
    const headers = { ...pageHeaders([], { isLive: true }), ETag: region.tag, Vary: 'Live-Org, Cookie' };
    if (isKnown(request.headers['if-none-match'], region.tag)) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(region.markup.text);
    return;
  }
  sendPage(
    response,
    {
      title,
      session,
      body: html`${orgNav(member)} ${fleetNav(request.path)} ${await before?.()}
        <p class="live-note" id="live-note" role="status"></p>
        <noscript>
          <p><a href="${request.originalUrl}">Reload</a> to see what has changed.</p>
        </noscript>
        <div id="live" data-org="${member.orgId}" data-tag="${region.tag}">${region.markup}</div>
        <script type="module" src="/portal/live.js"></script>`,
    },
    { isLive: true, headers: { Vary: 'Live-Org, Cookie' } },
  );
}

const pages = {
  '/portal/fleet': 'Health',
  '/portal/fleet/robots': 'Robots',
  '/portal/fleet/deployments': 'Deployments',
};

const fleetNav = (path: string): Html =>
  html`<nav aria-label="Fleet">
    <ul>
      ${Object.entries(pages).map(([address, name]) =>
        address === path
          ? html`<li><a href="${address}" aria-current="page">${name}</a></li>`
          : html`<li><a href="${address}">${name}</a></li>`,
      )}
    </ul>
  </nav>`;
