/** One customer of the service. pending → approved ⇄ suspended; only an approved org's tokens are taken. */
export interface Org {
  id: string;
  name: string;
  status: OrgStatus;
  recordShells: boolean; // whether what shells on its robots show is kept
  createdAt: Date;
  approvedAt: Date | undefined;
  suspendedAt: Date | undefined;
  requestedBy: string | undefined; // address of the person who asked for it
}

export type OrgStatus = 'pending' | 'approved' | 'suspended';

/** What each change of an org starts from and leads to. */
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
