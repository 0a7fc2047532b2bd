import type { Knex } from 'knex';
import type { operations } from '../../../../generated/api.d.ts';
import type { AuditedRead, CallerKinds, Mutation } from '../../../../generated/policies.d.ts';
import type { Caller } from '../../../kernel/caller.ts';
import type { Hint } from '../../bus/bus.ts';
import type { ItemsText, ListText } from '../reply/list.ts';
import type { Download, StoredFile, Upload } from './files.ts';

export type OperationId = keyof operations;

type Part<Id extends OperationId, Where extends 'path' | 'query'> = NonNullable<operations[Id]['parameters'][Where]>;
type JsonBody<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;
type RequestBody<Id extends OperationId> = Id extends TakingBytes
  ? Upload
  : | JsonBody<NonNullable<operations[Id]['requestBody']>>
    | (operations[Id] extends { requestBody: object } ? never : undefined);

interface BytesContent {
  content: { 'application/octet-stream': unknown };
}
interface DownloadContent {
  content: { 'application/x-asciicast': unknown };
}
/** The operations whose body is a file. */
type TakingBytes = {
  [Id in OperationId]: operations[Id] extends { requestBody: BytesContent } ? Id : never;
}[OperationId];

/** What a handler gets: a call that the dispatcher has authorised and validated. `db` is a transaction where the operation changes something. */
export interface Call<Id extends OperationId> {
  caller: Extract<Caller, { kind: CallerKinds[Id] }>;
  db: Knex;
  params: Part<Id, 'path'>;
  query: Part<Id, 'query'>;
  body: RequestBody<Id>;
}

/** What a change, or a read that is audited, leaves in the audit log beside who made it, when and by which request. Never a secret. */
export interface AuditFacts {
  orgId: string;
  objectKind: string;
  objectId: string;
  before?: object;
  after?: object;
}

type Success = 200 | 201 | 204;
/** Anything may go out as an object. The list of a table goes out as text, whole or as it is read. */
type Answer<Body> =
  | Body
  | (Body extends { items: (infer Item)[] }
      ? ListText<keyof Item & string> | { items: AsyncIterable<ItemsText<keyof Item & string>> }
      : never);
/** JSON, a file, what was written until now, or headers alone. */
type Given<Response> = Response extends { content: { 'application/json': infer Body } }
  ? { body: Answer<Body> }
  : Response extends BytesContent
    ? { file: StoredFile }
    : Response extends DownloadContent
      ? { download: Download }
      : { headers: Record<string, string> };
type Message<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses'] & Success]: { status: Status } & Given<
    operations[Id]['responses'][Status]
  >;
}[keyof operations[Id]['responses'] & Success];

/** What a handler gives. `audit`: what is written of the change, or that a repeated call found it made. `announce` reaches every replica once it is committed. */
export type Reply<Id extends OperationId> = Message<Id> &
  (Id extends Mutation
    ? { audit: AuditFacts | 'unchanged'; announce?: Hint[] }
    : Id extends AuditedRead
      ? { audit: AuditFacts }
      : unknown);

/**
 * One handler for each operation of the contract: one too few, one too many or a status that the contract lacks does not compile. One that takes a
 * file reads it outside of any transaction, and gives what is to be done in one once it is here.
 */
export type Handlers = {
  [Id in OperationId]: (
    call: Call<Id>,
  ) => Promise<Id extends TakingBytes ? (transaction: Knex) => Promise<Reply<Id>> : Reply<Id>>;
};
