import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ValidateFunction } from 'ajv';
import { orgOf, type Caller, type Grant } from '../../../kernel/caller.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { tokenKindOf } from '../../../kernel/tokens.ts';
import { type Admission, type Priority, type Slot } from './admission.ts';
import { authorize } from './authorize.ts';
import type { Document } from './contract.ts';
import { readBearer } from '../access/credentials.ts';
import { contractEngine } from './engine.ts';
import { isKnown, listTag } from '../reply/etags.ts';
import { executor, type Execution } from './execute.ts';
import { HttpError, toFailure } from '../reply/failures.ts';
import { elsewhere, sendDownload, sendFile, uploadOf, usualSilenceMs } from './files.ts';
import type { RequestTarget } from '../request/guards.ts';
import { hasBody, readJsonBody, readQuery } from '../request/input.ts';
import { bodyMemory, keyOf, listSlots, transferSlots, type CallLimits } from './limits.ts';
import type { Message } from '../request/message.ts';
import { orgChoice } from '../access/org-choice.ts';
import {
  ClientDisconnected,
  sendFailure,
  sendHeaders,
  sendJson,
  sendList,
  sendRedirect,
  type Headers,
} from '../reply/reply.ts';
import { sampledItems, type ReplySampler } from '../reply-sampling.ts';

/** Concurrent complete lists of one org, not counting those that fit into one piece. */
const listsPerOrg = 4;

interface Dispatch extends Execution {
  document: Document;
  validators: Record<string, ValidateFunction[]>;
  /**
   * The caller, once for each org it may act for: at least one.
   * @throws unauthorized, also for a path that does not exist
   */
  authenticate(request: IncomingMessage, bearer: string | undefined, target: RequestTarget): Promise<readonly Grant[]>;
  limits: CallLimits;
  /** Bounds the requests in work. */
  admission: Admission;
  /** Called for every caller whose operation is known, before authorization. */
  noteCaller(caller: Caller): void;
  /** Digest of the served contract. */
  specDigest(): string;
  /** The check of replies of this operation against the contract; undefined if this reply is not checked. */
  sample(operation: string): ReplySampler | undefined;
  /** Maximum time without progress for an upload or download, in ms; default 60 s. */
  fileSilenceMs?: number | undefined;
}

/**
 * A refused body up to this size is discarded and its connection kept, so a refusal before the body looks like one
 * after it.
 */
const maxDiscardedBytes = 65_536;

/** Status in logs and metrics for a response that its reader did not wait for. It is never sent. */
const hungUp = 499;

/** The outcome of a request, for the log and the metrics. */
interface Verdict {
  status: number;
  operation: string | undefined;
  route: string | undefined;
  orgId: string | undefined;
  error: unknown;
}

/**
 * Handles a request to `/api/*` or `/agent/*`: authentication, rate limit, routing, least role, body, validation,
 * handler. Each step sees only what earlier steps accepted; every failure becomes a response here.
 */
export async function createDispatcher(settings: Dispatch) {
  const engine = await contractEngine(settings.document, settings.validators, executor(settings));
  for (const { id } of engine.operations) if (!(id in settings.handlers)) throw new Error(`${id} has no handler`);
  const lists = listSlots(listsPerOrg);
  const transfers = transferSlots();
  const bodies = bodyMemory();
  const { admission, fileSilenceMs = usualSilenceMs } = settings;

  return async (
    request: Message,
    response: ServerResponse,
    target: RequestTarget,
    requestId: string,
  ): Promise<Verdict> => {
    const verdict: Verdict = {
      status: 0,
      operation: undefined,
      route: undefined,
      orgId: undefined,
      error: undefined,
    };
    const always = { 'X-Request-Id': requestId, 'X-Spec-Digest': settings.specDigest() };
    const headers: Headers = { ...always };
    const tellOrg = (caller: Caller | undefined) => {
      verdict.orgId = caller && orgOf(caller);
      if (verdict.orgId !== undefined) headers['X-Service-Org-Id'] = verdict.orgId;
      return verdict.orgId;
    };
    let slot: Slot | undefined;
    const ends: (() => void)[] = [];
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    try {
      const bearer = readBearer(request.headers.authorization);
      admission.refuseIfFull(priorityOf(bearer && tokenKindOf(bearer), changes));
      const grants = await settings.authenticate(request, bearer, target);
      const choice = orgChoice(grants, request.headers['x-service-org-id']);
      tellOrg(choice.caller);
      Object.assign(headers, settings.limits(keyOf(grants), changes));

      const match = engine.match(request.method ?? '', target.segments);
      if (!match) throw notFound('path');
      if ('allow' in match)
        throw new HttpError(405, `${target.path} takes ${match.allow.join(', ')}`, {
          headers: { Allow: match.allow.join(', ') },
        });
      const { operation, params } = match;
      verdict.operation = operation.id;
      verdict.route = operation.path;
      const caller = choice.settle(operation);
      const orgId = tellOrg(caller);
      settings.noteCaller(caller);
      authorize(operation, caller);
      if (!operation.takesBody && hasBody(request)) throw badRequest('body: this operation does not accept one');
      const priority = priorityOf(caller.kind, changes);
      const orgOrAdmin = orgId ?? 'admin';
      if (operation.takesBody) admission.refuseIfFull(priority, orgOrAdmin);
      const beginTransfer = () => transfers.take(keyOf(grants), orgOrAdmin, caller.kind);
      if (operation.takesBytes) ends.push(beginTransfer());
      const query = readQuery(target.search, operation.typedQueries);
      const memory = bodies.of(orgOrAdmin);
      ends.push(memory.free);
      const body = operation.takesBytes
        ? uploadOf(request, fileSilenceMs)
        : operation.takesBody
          ? await readJsonBody(request, { onBytes: memory.add })
          : undefined;

      slot = await admission.enter(priority, orgOrAdmin, response);
      // These wait for a robot or for bytes, and for the database only at the end.
      if (operation.asksRobot || operation.takesBytes) slot.free();

      const outcome = await engine.handle({
        operation,
        caller,
        requestId,
        params,
        query,
        headers: request.headers,
        body,
        leaveSlot: () => slot?.free(),
      });
      verdict.status = outcome.status;
      Object.assign(headers, outcome.headers);
      // The rest of an upload of a file that is already stored.
      if (isLongBodyLeft(request)) headers['Connection'] = 'close';
      const { file, download, body: answer } = outcome;
      if (file ?? download) slot.free();
      const location = file && (await elsewhere(file, request.headers));
      if (location !== undefined) verdict.status = 307;
      // A download elsewhere holds nothing of this replica.
      else if (file ?? download) ends.push(beginTransfer());
      const stream = streamOf(answer);
      // Only a page is text here: a complete list is streamed.
      const page = operation.conditional && typeof answer === 'string' ? answer : undefined;
      if (page !== undefined) headers['ETag'] = listTag(page);
      if (page !== undefined && isKnown(request.headers['if-none-match'], headers['ETag'] ?? '')) verdict.status = 304;
      const look = settings.sample(operation.id);
      if (verdict.status === 304) sendHeaders(response, 304, headers);
      else if (location !== undefined) sendRedirect(response, location, headers);
      else if (file) verdict.status = await sendFile(response, file, request.headers, headers, fileSilenceMs);
      else if (download) await sendDownload(response, download, headers, fileSilenceMs);
      else if (answer === undefined) sendHeaders(response, outcome.status, headers);
      else if (stream) {
        const pages = inSlots(stream, slot);
        const items = look ? sampledItems(pages, outcome.status, look) : pages;
        await sendList(response, items, headers, () => lists.take(orgOrAdmin));
      } else {
        const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
        sendJson(response, outcome.status, text, headers);
        look?.(outcome.status, text);
      }
    } catch (error) {
      if (error instanceof ClientDisconnected) return { ...verdict, status: hungUp };
      verdict.error = error;
      verdict.status = toFailure(error).status;
      if (verdict.operation !== undefined) settings.sample(verdict.operation)?.(verdict.status);
      const closing = isLongBodyLeft(request) ? { Connection: 'close' } : {};
      // A refused caller learns nothing about the org: a used-up key gets the same response as one that never existed.
      sendFailure(response, error, {
        ...(verdict.status === 401 ? always : headers),
        ...closing,
      });
    } finally {
      slot?.free();
      for (const end of ends) end();
    }
    return verdict;
  };
}

/** Whether an unread body remains that is too long to discard. */
function isLongBodyLeft(request: IncomingMessage): boolean {
  const isShort = Number(request.headers['content-length'] ?? Infinity) <= maxDiscardedBytes;
  return hasBody(request) && !request.readableEnded && !isShort;
}

function priorityOf(kind: string | undefined, changes: boolean): Priority {
  if (kind === 'robot' || kind === 'enroll') return 'agents';
  return changes ? 'changes' : 'reads';
}

/** The same items. A slot is held while they are read, and not while the reader of the response takes them. */
async function* inSlots(items: AsyncIterable<string>, slot: Slot): AsyncGenerator<string> {
  const each = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      await slot.takeAgain();
      const next = await each.next().finally(() => slot.free());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await each.return?.();
  }
}

function streamOf(body: object | string | undefined): AsyncIterable<string> | undefined {
  const items = typeof body === 'object' && 'items' in body ? body.items : undefined;
  return typeof items === 'object' && items !== null && Symbol.asyncIterator in items
    ? (items as AsyncIterable<string>)
    : undefined;
}
