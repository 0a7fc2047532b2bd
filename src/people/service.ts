import type { Knex } from 'knex';
import { auditService } from '../audit/service.ts';
import type { IdentityClaims, Person } from './model.ts';
import { peopleStore } from './store.ts';

export { readEmail, readName, readSubject } from './model.ts';
export type { IdentityClaims, Membership, Person } from './model.ts';

export function peopleService(db: Knex) {
  const people = peopleStore(db);
  return {
    /**
     * The person who signed in. Invitations to the address are accepted for them if the provider has verified it. A
     * user linked to a person stays so, whatever address anyone signs in with. `requestId` is for the audit log.
     */
    async signIn(identity: IdentityClaims, requestId: string): Promise<Person> {
      return db.transaction(async (trx) => {
        const person = await peopleStore(trx).signIn(identity);
        if (!identity.emailVerified) return person;
        for (const { orgId, userId, email, role } of await peopleStore(trx).acceptInvitations(person.id, person.email))
          await auditService(trx).record(orgId, {
            actor: { kind: 'user', id: userId },
            requestId,
            operation: 'acceptInvitation',
            objectKind: 'user',
            objectId: userId,
            after: { email, role, issuer: identity.issuer },
          });
        return person;
      });
    },

    /** The person's users, sorted by org name, in orgs of any status. */
    memberships: people.memberships,

    /**
     * Makes the person the admin of a new org and returns the user's id; undefined while another org that they
     * requested is pending. Needs a transaction.
     */
    found: people.found,

    /** For a user who is about to be removed: if this was the person's last org, ends all their sessions. */
    endSessionsOfLast: people.endSessionsOfLast,
  };
}
