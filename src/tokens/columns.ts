import type { Token } from './model.ts';

export interface Row {
  org_id: string;
  digest: Buffer;
  id: string;
  kind: Token['kind'];
  user_id: string | null;
  robot_id: string | null;
  label: string | null;
  last_four: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  rotation_wanted_at: Date | null;
}

/** The columns that any caller of the org may see. */
export const columns = [
  'id',
  'kind',
  'user_id',
  'robot_id',
  'label',
  'last_four',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'rotation_wanted_at',
] as const satisfies (keyof Row)[];
export type Column = (typeof columns)[number];

export const fromRow = (row: Pick<Row, Column>): Token => ({
  id: row.id,
  kind: row.kind,
  userId: row.user_id ?? undefined,
  robotId: row.robot_id ?? undefined,
  label: row.label ?? undefined,
  lastFour: row.last_four,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
  rotationWantedAt: row.rotation_wanted_at ?? undefined,
});
