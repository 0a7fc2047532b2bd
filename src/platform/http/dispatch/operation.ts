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

/** A request that the dispatcher has authorised and validated. `db` is a transaction if the operation is a change. */
export interface Call<Id extends OperationId> {
  caller: Extract<Caller, { kind: CallerKinds[Id] }>;
  db: Knex;
  params: Part<Id, 'path'>;
  query: Part<Id, 'query'>;
  body: RequestBody<Id>;
  traceContext: string | undefined; // of the request, if it is traced: a `traceparent` of W3C
  /** To be called before a wait that is neither for the database nor for the processor; see decision 112. */
  leaveSlot: () => void;
}

/** The facts of a change, or of an audited read, for the audit log. Actor, time and request are added. No secrets. */
export interface AuditFacts {
  orgId: string;
  objectKind: string;
  objectId: string;
  before?: object;
  after?: object;
}

type Success = 200 | 201 | 204;
/** Any body may be an object. A list from a table is sent as text, whole or streamed. */
type Answer<Body> =
  | Body
  | (Body extends { items: (infer Item)[] }
      ? ListText<keyof Item & string> | { items: AsyncIterable<ItemsText<keyof Item & string>> }
      : never);
/** JSON, a file, a download, or headers alone. */
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

/**
 * The result of a handler. `audit`: the entry for the change, one for each object if it concerns several, or that a
 * repeated call found it already made.
 * `announce`: hints, sent to every replica on commit. `headers`: sent with the response, and not with its repetition.
 */
export type Reply<Id extends OperationId> = Message<Id> &
  (Id extends Mutation
    ? { audit: AuditFacts | AuditFacts[] | 'unchanged'; announce?: Hint[]; headers?: Record<string, string> }
    : Id extends AuditedRead
      ? { audit: AuditFacts }
      : unknown);

/**
 * One handler for each operation of the contract: a missing or extra one, or a status outside the contract, does not
 * compile. A handler that takes a file reads it outside of any transaction, and then returns the function to run in
 * one.
 */
export type Handlers = {
  [Id in OperationId]: (
    call: Call<Id>,
  ) => Promise<Id extends TakingBytes ? (transaction: Knex) => Promise<Reply<Id>> : Reply<Id>>;
};
