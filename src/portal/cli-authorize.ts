import { Router, type Request, type Response } from 'express';
import { badRequest, notFound } from '../kernel/errors.ts';
import { peopleService, type Membership } from '../people/service.ts';
import type { cliCodes } from './cli-codes.ts';
import { readQuestion, type CliAuthorizationRequest } from './cli-authorization-request.ts';
import { readLine } from './form.ts';
import { csrfField, html, sendPage, type Html } from './page.ts';
import type { Session } from './session.ts';
import { maxLabelLength } from './token-form.ts';
import { postedForm, redirect, sessionOrSignIn, type PortalParts } from './page-requests.ts';

const place = '/cli/authorize';
/** Lifetimes of a token; the first is the default. */
const lives: readonly { days: number; words: string }[] = [
  { days: 90, words: '90 days' },
  { days: 1, words: '1 day' },
  { days: 7, words: '7 days' },
  { days: 30, words: '30 days' },
  { days: 365, words: '1 year' },
];
/** Replaces the org id: a token valid in all orgs. */
const allOrgs = 'all';

/** Authorizes a client: `cli login` sends the browser here, and gets its code here. */
export function cliAuthorizeRoutes(parts: PortalParts, codes: ReturnType<typeof cliCodes>): Router {
  const people = peopleService(parts.db);
  const router = Router({ caseSensitive: true, strict: true });

  /** The orgs that the person may choose from. @throws not_found if the requested org is none of them */
  async function orgsFor(session: Session, { org }: CliAuthorizationRequest): Promise<Membership[]> {
    const all = (await people.memberships(session.personId)).filter(({ orgStatus }) => orgStatus === 'approved');
    if (org === undefined) return all;
    const asked = all.filter(({ orgId, orgName }) => orgId === org || orgName === org);
    if (asked.length === 0) throw notFound(`organization "${org}"`);
    return asked;
  }

  router.get(place, async (request, response) => {
    const question = readQuestion(oneOf(request));
    const session = await sessionOrSignIn(parts, request, response);
    if (!session) return;
    const orgs = await orgsFor(session, question);
    const body = orgs.length === 0 ? noOrg : questionForm(session, question, orgs);
    const title = `Sign in the command line on ${question.host}?`;
    sendPage(response, { title, session, body }, { formTargets: [question.redirectUri] });
  });

  router.post(place, async (request, response) => {
    const { session, form } = await postedForm(parts, request, response);
    const question = readQuestion((name) => form[name]);
    if (form['answer'] === 'no') return answerNo(response, session, question);
    if (form['answer'] !== 'yes' && form['answer'] !== 'code') throw badRequest('answer is missing');
    const orgs = await orgsFor(session, question);
    const orgIds = orgs.map(({ orgId }) => orgId).filter((id) => form['org_id'] === allOrgs || form['org_id'] === id);
    if (orgIds.length === 0) throw notFound('org');
    const label = readLine(form, 'label', maxLabelLength);
    const life = lives.find(({ days }) => String(days) === form['days']);
    if (!life) throw badRequest('the lifetime of the token is not one of those offered');
    const { redirectUri, challenge } = question;
    const { personId } = session;
    const code = await codes.issue({ personId, orgIds, challenge, redirectUri, label, tokenHours: life.days * 24 });
    if (form['answer'] === 'code') return sendCode(response, session, code);
    return back(response, question, { code });
  });

  return router;
}

/**
 * The only value of a name in the query.
 * @throws bad_request for a repeated name: readers could choose different values
 */
function oneOf({ originalUrl }: Request): (name: string) => string | undefined {
  const query = new URLSearchParams(originalUrl.split('?').slice(1).join('?'));
  return (name) => {
    const [value, ...more] = query.getAll(name);
    if (more.length > 0) throw badRequest(`${name} occurs twice`);
    return value;
  };
}

/** Sends the result to the client through the browser. */
function back(
  response: Response,
  { redirectUri, state }: CliAuthorizationRequest,
  answer: Record<string, string>,
): void {
  response.setHeader('Referrer-Policy', 'no-referrer');
  redirect(response, `${redirectUri}?${new URLSearchParams({ ...answer, state }).toString()}`);
}

function answerNo(response: Response, session: Session, question: CliAuthorizationRequest): void {
  if (!question.showsCode) return back(response, question, { error: 'access_denied' });
  const body = html`<p>The sign-in was canceled. Press Ctrl-C in the terminal.</p>`;
  return sendPage(response, { title: 'Not signed in', session, body });
}

function sendCode(response: Response, session: Session, code: string): void {
  const body = html`<p>Paste this code into the terminal where you typed <code>cli login</code>, within a minute:</p>
    <p><label for="code">Code</label> <input id="code" class="secret" readonly value="${code}" /></p>
    <p class="warning">Do not give it to anyone: a person who asks for it wants to act in your name.</p>`;
  sendPage(response, { title: 'Your code', session, body });
}

const noOrg = html`<p>You belong to no active organization, so you cannot sign in.</p>
  <p><a href="/portal">Your page</a></p>`;

function questionForm(session: Session, question: CliAuthorizationRequest, orgs: readonly Membership[]): Html {
  const yes = html`<button name="answer" value="yes" ${question.showsCode ? quiet : undefined}>Sign in</button>`;
  const code = html`<button name="answer" value="code" ${question.showsCode ? undefined : quiet}>Show a code</button>`;
  return html`<p>
      A program on <strong>${question.host}</strong> asks to act as <strong>${session.email}</strong>. Continue only if
      you typed <code>cli login</code> there just now. If someone sent you this address, cancel.
    </p>
    <form class="stacked" method="post" action="${place}">
      ${csrfField(session)}${hiddenFields(question)}
      <fieldset>
        <legend>Organization</legend>
        ${orgs.map((org, index) => orgChoice(org, index === preferred(session, orgs)))}
        ${orgs.length > 1 ? allChoice : undefined}
      </fieldset>
      <label for="label">Name of the token</label>
      <input id="label" name="label" required maxlength="${maxLabelLength}" value="${`cli on ${question.host}`}" />
      <label for="days">Token is valid for</label>
      <select id="days" name="days">
        ${lives.map(({ days, words }) => html`<option value="${days}">${words}</option>`)}
      </select>
      <div class="actions">
        ${question.showsCode ? [code, yes] : [yes, code]}
        <button name="answer" value="no" class="quiet" formnovalidate>Cancel</button>
      </div>
      <p>Show a code if the terminal is on another machine than this browser.</p>
    </form>`;
}

const quiet = html`class="quiet"`;

/** Index of the preselected org: the person's current org, else the first. */
const preferred = ({ orgId }: Session, orgs: readonly Membership[]) =>
  Math.max(
    0,
    orgs.findIndex((org) => org.orgId === orgId),
  );

const allChoice = html` <label
  ><input type="radio" name="org_id" required value="${allOrgs}" /> All of them: select one in each command with
  <code>--org</code></label
>`;

const orgChoice = ({ orgId, orgName, role }: Membership, isChosen: boolean) =>
  html` <label
    ><input type="radio" name="org_id" required value="${orgId}" ${isChosen ? html`checked` : undefined} /> ${orgName}
    (${role})</label
  >`;

/** The fields that the form repeats; validated again on submit. */
function hiddenFields({ redirectUri, challenge, state, host, org, showsCode }: CliAuthorizationRequest): Html[] {
  const fields = {
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    host,
    ...(org !== undefined && { org }),
    ...(showsCode && { display: 'code' }),
  };
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}
