import type { Request, Response } from 'express';
import type { Role } from '../kernel/caller.ts';
import { badRequest } from '../kernel/errors.ts';
import { tokenService } from '../tokens/service.ts';
import { changeByForm, type Change } from './change.ts';
import { readLine } from './form.ts';
import { html, sendPage, type Html } from './page.ts';
import { orgFields, type MemberSession } from './org-session.ts';
import type { PortalParts } from './page-requests.ts';

/** The maximum of any label in the contract. */
export const maxLabelLength = 128;
const lifetimesDays = [30, 90, 365];
const defaultDays = 90;
const hoursADay = 24;

/** The fields with which every page issues a token. */
export const tokenFields = (visitor: MemberSession): Html =>
  html` ${orgFields(visitor)}
    <label for="label">Purpose</label>
    <input id="label" name="label" required maxlength="${maxLabelLength}" placeholder="laptop" />
    <label for="days">Valid for</label>
    <select id="days" name="days">
      ${lifetimesDays.map((days) =>
        days === defaultDays
          ? html`<option value="${days}" selected>${days} days</option>`
          : html`<option value="${days}">${days} days</option>`,
      )}
      <option value="0">ever, until revoked</option>
    </select>`;

/** The values of `tokenFields`. @throws bad_request */
function readTokenFields(form: Change['form']): { label: string; expiresInHours: number } {
  const days = [0, ...lifetimesDays].find((each) => String(each) === form['days']);
  if (days === undefined) throw badRequest('choose how long the token is valid');
  return { label: readLine(form, 'label', maxLabelLength), expiresInHours: days * hoursADay };
}

/**
 * Issues a token by a form with `tokenFields` and shows its value, only this once. `ownerOf` returns the id of the
 * token's user; `back` is the target of the page's link.
 * @throws as `changeByForm`, bad_request, not_found for a user of no org or of another
 */
export async function issueByForm(
  parts: PortalParts,
  request: Request,
  response: Response,
  { least, back, ownerOf }: { least: Role; back: string; ownerOf(change: Change): string },
): Promise<void> {
  const rule = { least, operation: 'createUserToken' };
  const content = await changeByForm(parts, request, response, rule, async (change) => {
    const { trx, orgId, form, session } = change;
    const { token, value } = await tokenService(trx).issueToUser(orgId, ownerOf(change), readTokenFields(form));
    const { id, userId, label, lastFour, expiresAt } = token;
    const after = {
      id,
      kind: 'user',
      user_id: userId,
      label,
      last_four: lastFour,
      ...(expiresAt ? { expires_at: expiresAt.toISOString() } : {}),
    };
    const result = { title: 'New token', session, body: valueBody(value, back) };
    return { result, objectKind: 'token', objectId: id, after };
  });
  sendPage(response, content, { status: 201 });
}

const valueBody = (value: string, back: string): Html =>
  html`<p class="warning" role="note">Copy it now. It is shown only once.</p>
    <p><code class="secret" id="value">${value}</code></p>
    <p>In a terminal: <code>cli login --token -</code>, then paste it. Or store it in <code>SERVICE_TOKEN</code>.</p>
    <p><a href="${back}">Done</a></p>`;
