import type { Role } from '../kernel/caller.ts';

/** A member of one org. */
export interface User {
  id: string;
  email: string; // lower case, unique in the org
  name: string | undefined;
  role: Role;
  createdAt: Date;
}

export interface UserFilter {
  email?: string | undefined;
}

/** Fields of a user that may change. */
export interface UserChange {
  name?: string | undefined;
  role?: Role | undefined;
}
