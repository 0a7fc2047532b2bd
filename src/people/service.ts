import type { Knex } from 'knex';
import { auditService } from '../audit/service.ts';
import type { Identity, Person } from './model.ts';
import { peopleStore } from './store.ts';

export { readEmail, readName, readSubject } from './model.ts';
export type { Identity, Membership, Person } from './model.ts';

export function peopleService(db: Knex) {
  const people = peopleStore(db);
  return {
    /**
     * The person who signed in. Invitations to the address become theirs, if the provider says that the address is theirs; a user who is
     * somebody already stays so, whatever address anybody signs in with. `requestId` is for the audit log.
     */
    async signIn(identity: Identity, requestId: string): Promise<Person> {
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

    /** The person's users, by the orgs' names, of orgs in any status. */
    memberships: people.memberships,

    /** The person as the admin of a new org: the user's id; undefined while another one that they asked for waits. Wants a transaction. */
    found: people.found,

    /** For a user who is about to be removed: a person who belongs to no org any more is signed out everywhere. */
    endSessionsOfLast: people.endSessionsOfLast,
  };
}
