import type { Knex } from 'knex';
import { atATime } from '../../../kernel/at-a-time.ts';
import type { Caller, Role } from '../../../kernel/caller.ts';
import { orgOf } from '../../../kernel/caller.ts';
import { DomainError, unauthorized } from '../../../kernel/errors.ts';
import type { Bus, Hint } from '../../bus/bus.ts';
import type { Standby } from '../../db/standby.ts';
import { retryOnConflict } from '../../db/retry-on-conflict.ts';
import { inTransaction, type Work } from '../../db/transaction.ts';
import { authorize } from './authorize.ts';
import type { Exchange, Outcome } from './engine.ts';
import { fingerprintOf, runIdempotently, readIdempotencyKey } from './idempotency.ts';
import type { AuditFacts, Handlers } from './operation.ts';

interface AuditRecord extends AuditFacts {
  caller: Caller;
  requestId: string;
  operation: string;
}

export interface Execution {
  db: Knex;
  /** For reads that may be stale; undefined: they use `db`. */
  standby?: Standby | undefined;
  bus: Pick<Bus, 'announcing' | 'deliver'>;
  handlers: Handlers;
  /** Transactions at a time that record a file: each holds a connection and no slot while it asks the object store. */
  filesRecordedAtOnce: number;
  /** The statement that writes one audit row, in the transaction of the change that it describes. */
  recordAudit(transaction: Knex, record: AuditRecord): Knex.Raw;
  /** The current role of a user, locked until the transaction ends; undefined for a removed user. */
  roleNow(transaction: Knex, user: Extract<Caller, { kind: 'user' }>): Promise<Role | undefined>;
  /** The trace context of the request in progress; by default there is none. */
  traceContext?: (() => string | undefined) | undefined;
}

type AnyReply = Outcome & { audit?: AuditFacts | AuditFacts[] | 'unchanged'; announce?: Hint[] };
type AnyHandler = (call: object) => Promise<AnyReply>;
type FileHandler = (call: object) => Promise<(transaction: Knex) => Promise<AnyReply>>;

/**
 * Runs the handler of an operation. Reads use the pool. A change runs in one transaction with its audit row and, if the
 * contract requires one, its idempotency key. An audited read is returned only after its row is written.
 */
export function executor({
  db,
  standby,
  bus,
  handlers,
  filesRecordedAtOnce,
  recordAudit,
  roleNow,
  traceContext,
}: Execution): (exchange: Exchange) => Promise<Outcome> {
  /** On the primary: what the standby does not find may be there. */
  const again = (error: unknown, read: () => Promise<AnyReply>): Promise<AnyReply> => {
    const isNotFound = error instanceof DomainError && error.code === 'not_found';
    if (!isNotFound && !standby?.isFault(error)) throw error;
    return read();
  };

  const inTurn = atATime(filesRecordedAtOnce);

  return async (exchange) => {
    const { operation, caller, params, query, body, requestId, leaveSlot } = exchange;
    // The exchange was validated against the contract, from which the handler's types are generated.
    const handler: unknown = handlers[operation.id as keyof Handlers];
    const call = { caller, params, query, body, traceContext: traceContext?.(), leaveSlot };
    const note = (on: Knex, facts: AuditFacts) =>
      recordAudit(on, { ...facts, caller, requestId, operation: operation.id });
    if (!operation.changes) {
      const read = (on: Knex) => (handler as AnyHandler)({ db: on, ...call });
      const reader = operation.mayBeStale ? standby?.reader(orgOf(caller) ?? '') : undefined;
      const reply = await (reader ? read(reader).catch((error: unknown) => again(error, () => read(db))) : read(db));
      if (operation.auditedRead) await note(db, factsOf(reply.audit, operation.id));
      return reply;
    }

    const run = operation.takesBytes
      ? await (handler as FileHandler)({ db, ...call })
      : (trx: Knex) => (handler as AnyHandler)({ db: trx, ...call });
    let hints: Hint[] = [];
    const change = async (trx: Knex): Promise<Work<Outcome>> => {
      // Check the role within the transaction: an admin whose role is being removed could otherwise restore it.
      if (operation.leastRole === 'admin' && caller.kind === 'user') {
        const role = await roleNow(trx, caller);
        if (role === undefined) throw unauthorized('token unknown, expired or revoked');
        authorize(operation, { ...caller, role });
      }
      const { status, body: answer, headers, audit, announce = [] } = await run(trx);
      if (!audit) throw new Error(`${operation.id} changed something and left no audit facts`);
      hints = announce;
      const record = audit === 'unchanged' ? [] : [audit].flat().map((facts) => note(trx, facts));
      const announced = bus.announcing(trx, announce);
      return {
        result: { status, body: answer, ...(headers && { headers }) },
        ...announced,
        closing: [...record, ...announced.closing],
      };
    };
    const work = operation.idempotent ? (trx: Knex) => keyed(trx, exchange, () => change(trx)) : change;
    // Nothing is sent yet, so the caller cannot see a retry.
    const commit = () => retryOnConflict(() => inTransaction(db, work));
    // Also after a failure: the change may be committed.
    const outcome = await (operation.takesBytes ? inTurn(commit) : commit()).finally(() =>
      standby?.noteChange(orgOf(caller)),
    );
    bus.deliver(hints);
    return outcome;
  };
}

function factsOf(audit: AnyReply['audit'], id: string): AuditFacts {
  if (!audit || audit === 'unchanged' || Array.isArray(audit))
    throw new Error(`${id} is audited and left no audit facts`);
  return audit;
}

async function keyed(
  trx: Knex,
  { operation, caller, params, body, headers }: Exchange,
  change: () => Promise<Work<Outcome>>,
): Promise<Work<Outcome>> {
  const orgId = orgOf(caller);
  if (orgId === undefined) throw new Error(`${operation.id} takes an Idempotency-Key from a caller without an org`);
  const key = readIdempotencyKey(headers['idempotency-key'] as string | undefined); // Node joins repeated headers
  const claim = { orgId, operation: operation.id, key, fingerprint: fingerprintOf(operation.id, params, body) };
  let ending: Omit<Work<Outcome>, 'result'> = { closing: [] };
  const { replayed, ...reply } = await runIdempotently(trx, claim, async () => {
    const { result, ...work } = await change();
    ending = work;
    return { status: result.status, body: JSON.stringify(result.body) };
  });
  return { result: replayed ? { ...reply, headers: { 'Idempotent-Replayed': 'true' } } : reply, ...ending };
}
