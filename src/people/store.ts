import type { Knex } from 'knex';
import type { Role } from '../kernel/caller.ts';
import { newId } from '../kernel/ids.ts';
import type { Accepted, IdentityClaims, Membership, Person } from './model.ts';

interface Row {
  id: string;
  email: string;
  name: string | null;
}

export function peopleStore(db: Knex) {
  return {
    /** The person of this subject, updated with the provider's data; the row is locked until the transaction ends. */
    async signIn({ issuer, subject, email, name }: IdentityClaims): Promise<Person> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `insert into people (id, issuer, subject, email, name) values (?, ?, ?, ?, ?)
         on conflict (issuer, subject) do update set email = excluded.email, name = excluded.name, signed_in_at = now()
         returning id, email, name`,
        [newId(), issuer, subject, email, name ?? null],
      );
      return fromRow(rows[0] as Row); // inserted or updated, so it exists
    },

    /** Links the person to every invitation to this address, except in orgs where the person is already a user. */
    async acceptInvitations(personId: string, email: string): Promise<Accepted[]> {
      const { rows } = await db.raw<{ rows: { org_id: string; id: string; email: string; role: Role }[] }>(
        `update users u set person_id = ? where u.email = ? and u.person_id is null
            and not exists (select from users other where other.org_id = u.org_id and other.person_id = ?)
          returning u.org_id, u.id, u.email, u.role`,
        [personId, email, personId],
      );
      return rows.map((row) => ({ orgId: row.org_id, userId: row.id, email: row.email, role: row.role }));
    },

    /** Sorted by org name. */
    async memberships(personId: string): Promise<Membership[]> {
      const { rows } = await db.raw<{ rows: Membership[] }>(
        `select o.id as "orgId", o.name as "orgName", o.status as "orgStatus",
                coalesce(o.requested_by = u.person_id, false) as "isRequested", u.id as "userId", u.role
           from users u join orgs o on o.id = u.org_id where u.person_id = ? order by o.name, o.id`,
        [personId],
      );
      return rows;
    },

    /**
     * Makes the person the admin of the org that they request, and returns the user's id. Undefined while another org
     * that they requested is pending: a person may request one at a time.
     */
    async found(personId: string, orgId: string): Promise<string | undefined> {
      await db.raw('select from people where id = ? for update', [personId]); // a concurrent call then sees the result
      const { rows } = await db.raw<{ rows: { id: string }[] }>(
        `with asked as (
           update orgs set requested_by = :personId where id = :orgId
              and not exists (select from orgs where requested_by = :personId and status = 'pending') returning id)
         insert into users (org_id, id, email, name, role, person_id)
         select asked.id, :userId, p.email, p.name, 'admin', p.id from asked, people p where p.id = :personId returning id`,
        { personId, orgId, userId: newId() },
      );
      return rows[0]?.id;
    },

    /** Ends the sessions of the user's person, unless that person is also a user of another org. */
    async endSessionsOfLast(orgId: string, userId: string): Promise<void> {
      // Of concurrent removals from two orgs, the second sees the first.
      await db.raw(
        'select from people where id = (select person_id from users where org_id = ? and id = ?) for update',
        [orgId, userId],
      );
      await db.raw(
        `delete from portal_sessions s using users u
          where u.org_id = ? and u.id = ? and s.person_id = u.person_id
            and not exists (select from users other where other.person_id = u.person_id and other.org_id <> u.org_id)`,
        [orgId, userId],
      );
    },
  };
}

const fromRow = (row: Row): Person => ({ id: row.id, email: row.email, name: row.name ?? undefined });
