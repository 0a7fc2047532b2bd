import { Router } from 'express';
import { roles, type Role } from '../kernel/caller.ts';
import { badRequest } from '../kernel/errors.ts';
import { readEmail } from '../people/service.ts';
import { userService } from '../users/service.ts';
import { changeByForm } from './change.ts';
import { newestFirst } from './newest-first.ts';
import { html, sendPage, type Html } from './page.ts';
import { orgFields, orgNav, sessionInOrg, type MemberSession } from './org-session.ts';
import { table } from './table.ts';
import { issueByForm, tokenFields } from './token-form.ts';
import { redirect, type PortalParts } from './page-requests.ts';

/** The fields of a user that a page shows, as in the contract. */
interface UserRow {
  id: string;
  email: string;
  name?: string;
  role: Role;
}

const place = '/portal/users';

const roleOptions = (current: Role): Html[] =>
  roles.map((role) =>
    role === current
      ? html`<option value="${role}" selected>${role}</option>`
      : html`<option value="${role}">${role}</option>`,
  );

const columns = (visitor: MemberSession) => ({
  User: ({ email, name }: UserRow) => html`${email}${name === undefined ? undefined : html`<br />${name}`}`,
  Role: ({ id, email, role }: UserRow) =>
    html`<form method="post" action="${place}/role" class="row">
      ${orgFields(visitor)}<input type="hidden" name="id" value="${id}" />
      <select name="role" aria-label="Role of ${email}">
        ${roleOptions(role)}
      </select>
      <button type="submit" class="quiet" aria-label="Change the role of ${email}">Change</button>
    </form>`,
  Tokens: ({ id, email }: UserRow) =>
    html`<a href="${place}/token?id=${id}" aria-label="Issue a token to ${email}">Issue a token</a>`,
  Access: ({ id, email }: UserRow) => html`<a href="${place}/remove?id=${id}" aria-label="Remove ${email}">Remove</a>`,
});

const inviteForm = (visitor: MemberSession) =>
  html` <h2>Invite a user</h2>
    <p>
      The person who signs in with this address, verified by the identity provider, becomes this user. The service sends
      no email.
    </p>
    <form method="post" action="${place}" class="stacked">
      ${orgFields(visitor)}
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" required maxlength="254" autocomplete="off" spellcheck="false" />
      <label for="role">Role</label>
      <select id="role" name="role">
        ${roleOptions('viewer')}
      </select>
      <button type="submit">Invite</button>
    </form>`;

/** @throws bad_request */
function readRole(text: string | undefined): Role {
  const role = roles.find((each) => each === text);
  if (!role) throw badRequest(`the role must be one of ${roles.join(', ')}`);
  return role;
}

/** The users of the org, for its admins. */
export function userRoutes(parts: PortalParts): Router {
  const router = Router({ caseSensitive: true, strict: true });

  router.get(place, async (request, response) => {
    const visitor = await sessionInOrg(parts, request, response, 'admin');
    if (!visitor) return;
    const { session, member } = visitor;
    const { objects, links } = await newestFirst(request, (page) => userService(parts.db).list(member.orgId, {}, page));
    const rows = objects.map((text) => JSON.parse(text) as UserRow);
    sendPage(response, {
      title: `Users of ${member.orgName}`,
      session,
      body: html`${orgNav(member)} ${table({ title: 'Users', columns: columns(visitor), rows })} ${links}
      ${inviteForm(visitor)}`,
    });
  });

  router.post(place, async (request, response) => {
    const rule = { least: 'admin', operation: 'createUser' } as const;
    await changeByForm(parts, request, response, rule, async ({ trx, orgId, form }) => {
      const [email, role] = [readEmail(form['email']), readRole(form['role'])];
      if (email === undefined) throw badRequest('the email address is invalid');
      const user = await userService(trx).create(orgId, { email, role });
      return { result: undefined, objectKind: 'user', objectId: user.id, after: { id: user.id, email, role } };
    });
    redirect(response, place);
  });

  router.post(`${place}/role`, async (request, response) => {
    const rule = { least: 'admin', operation: 'updateUser' } as const;
    await changeByForm(parts, request, response, rule, async ({ trx, orgId, form }) => {
      const role = readRole(form['role']);
      const { before, after } = await userService(trx).update(orgId, form['id'] ?? '', { role });
      const roleOf = (user: { role: Role }) => ({ role: user.role });
      const objectId = after.id;
      return {
        result: undefined,
        objectKind: 'user',
        objectId,
        before: roleOf(before),
        after: roleOf(after),
        endsAccess: true,
      };
    });
    redirect(response, place);
  });

  router.get([`${place}/remove`, `${place}/token`], async (request, response) => {
    const visitor = await sessionInOrg(parts, request, response, 'admin');
    if (!visitor) return;
    const { session, member } = visitor;
    const { id: asked } = request.query;
    const user = await userService(parts.db).get(member.orgId, typeof asked === 'string' ? asked : '');
    const id = html`<input type="hidden" name="id" value="${user.id}" />`;
    const removing = {
      title: `Remove ${user.email}?`,
      body: html`<p>Their tokens end at once, and so do all streams that were opened with them.</p>
        <form method="post" action="${place}/remove">
          ${orgFields(visitor)}${id}<button type="submit">Remove</button>
        </form>`,
    };
    const issuing = {
      title: `A token for ${user.email}`,
      body: html`<p>Anyone who has the token acts as this user, with the role ${user.role}.</p>
        <form method="post" action="${place}/token" class="stacked">
          ${id}${tokenFields(visitor)}<button type="submit">Issue it</button>
        </form>`,
    };
    const { title, body } = request.path.endsWith('/remove') ? removing : issuing;
    sendPage(response, {
      title,
      session,
      body: html`${orgNav(member)}${body}
        <p><a href="${place}">Back</a></p>`,
    });
  });

  router.post(`${place}/remove`, async (request, response) => {
    const rule = { least: 'admin', operation: 'deleteUser' } as const;
    await changeByForm(parts, request, response, rule, async ({ trx, orgId, form }) => {
      const { id, email, role } = await userService(trx).delete(orgId, form['id'] ?? '');
      return { result: undefined, objectKind: 'user', objectId: id, before: { id, email, role }, endsAccess: true };
    });
    redirect(response, place);
  });

  router.post(`${place}/token`, (request, response) =>
    issueByForm(parts, request, response, { least: 'admin', back: place, ownerOf: ({ form }) => form['id'] ?? '' }),
  );

  return router;
}
