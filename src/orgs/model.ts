/** One customer of the service. pending → approved ⇄ suspended; only tokens of an approved org are accepted. */
export interface Org {
  id: string;
  name: string;
  status: OrgStatus;
  recordShells: boolean; // whether the output of shells on its robots is recorded
  createdAt: Date;
  approvedAt: Date | undefined;
  suspendedAt: Date | undefined;
  requestedBy: string | undefined; // email address of the person who requested it
}

export type OrgStatus = 'pending' | 'approved' | 'suspended';

/** The initial and the final status of each change. */
export const moves = {
  approve: { from: 'pending', to: 'approved' },
  suspend: { from: 'approved', to: 'suspended' },
  resume: { from: 'suspended', to: 'approved' },
} as const satisfies Record<string, { from: OrgStatus; to: OrgStatus }>;

export type Move = keyof typeof moves;

/** Counts over all orgs. */
export interface Counts {
  orgsPending: number;
  orgsApproved: number;
  orgsSuspended: number;
  users: number;
  robots: number;
  sites: number;
  fleets: number;
  enrollmentKeys: number; // not revoked
  tokens: number; // not revoked
  databaseBytes: number;
}
