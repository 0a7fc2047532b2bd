import type { Caller } from '../kernel/caller.ts';

/** The actor of a change. `system` is the service itself. */
interface Actor {
  kind: Caller['kind'] | 'system';
  id?: string | undefined; // user, org, robot or enrollment key
  tokenId?: string | undefined;
}

export interface NewAuditEntry {
  /** If the entry may be written twice, as a lost reply leads to a retry: it is stored once. Default: a new ID. */
  id?: string;
  /** Time in ms since what it describes. Default: the entry has the time of its transaction. */
  ageMs?: number;
  actor: Actor;
  requestId?: string | undefined;
  operation: string;
  objectKind: string;
  objectId: string;
  before?: object | undefined;
  after?: object | undefined;
}

export interface AuditQuery {
  after?: number | undefined;
  limit: number;
  operation?: string | undefined;
  actorId?: string | undefined;
  objectId?: string | undefined;
}

/** The fields of an entry that its hash covers; the API uses the same names. */
export const entryColumns = [
  'seq', // from 1, without gaps; no entry is ever inserted before an assigned number
  'at',
  'actor_kind',
  'actor_id',
  'token_id',
  'request_id',
  'operation',
  'object_kind',
  'object_id',
  'before',
  'after',
] as const;
export type EntryColumn = (typeof entryColumns)[number] | 'hash';

/** For an update, only the changed fields, which a reader looks for. A created or deleted object is kept whole. */
export function changedFields({
  before,
  after,
}: Pick<NewAuditEntry, 'before' | 'after'>): Pick<NewAuditEntry, 'before' | 'after'> {
  if (!before || !after) return { before, after };
  const [was, is] = [Object.entries(before), Object.entries(after)];
  const text = (fields: [string, unknown][], name: string) =>
    JSON.stringify(fields.find(([each]) => each === name)?.[1]);
  const differs = ([name]: [string, unknown]) => text(was, name) !== text(is, name);
  return { before: Object.fromEntries(was.filter(differs)), after: Object.fromEntries(is.filter(differs)) };
}

/** Maximum entries per response: the log is unbounded. */
export const maxEntries = 1_000;

export function actorOf(caller: Caller): Actor {
  switch (caller.kind) {
    case 'user':
      return { kind: 'user', id: caller.userId, tokenId: caller.tokenId };
    case 'org':
      return { kind: 'org', id: caller.orgId, tokenId: caller.tokenId };
    case 'robot':
      return { kind: 'robot', id: caller.robotId, tokenId: caller.tokenId };
    case 'stream':
    case 'replica':
      return { kind: caller.kind, id: caller.sessionId };
    case 'enroll':
      return { kind: 'enroll', id: caller.keyId };
    case 'admin':
      return { kind: 'admin' };
  }
}

/** Where the log of an org begins, if its oldest entries were exported and deleted: after this entry. */
export interface AuditAnchor {
  seq: number;
  hash: Buffer;
  exportedAt: Date;
  fileSha256: string; // of the file that ends with the entry
}

/** Range of entries of an org in one exported file. */
export interface ExportedRange {
  orgId: string;
  firstSeq: number;
  seq: number; // of the last entry
  hash: Buffer; // of the last entry
  exportedAt: Date;
  fileSha256: string;
}

/** A range that is being deleted, or was. */
export interface AuditTrim extends ExportedRange {
  createdAt: Date;
  createdBy: string; // account and host
  effectiveAt: Date | undefined; // the log begins after the range
  finishedAt: Date | undefined; // all of the range is deleted
}
