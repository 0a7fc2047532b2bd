/**
 * Not run but compiled: `npm run check` fails if any of these mistakes about a handler compiles. Each was a bug somewhere.
 */
import type { Call, Handlers, Reply } from '../../src/platform/http/dispatch/operation.ts';

declare const handlers: Handlers;
declare const site: { id: string; name: string; created_at: string };
const audit = { orgId: 'x', objectKind: 'site', objectId: 'x' };

declare const incomplete: Omit<Handlers, 'createSite'>;
// @ts-expect-error an operation without a handler
export const missing: Handlers = incomplete;

// @ts-expect-error a handler of no operation
export const extra: Handlers = { ...handlers, createPlanet: handlers.createSite };

// @ts-expect-error a status that the contract does not declare
export const undeclaredStatus: Reply<'createSite'> = { status: 200, body: { data: site }, audit };

// @ts-expect-error a body without a required field
export const shortBody: Reply<'createSite'> = { status: 201, body: { data: { id: 'x', name: 'x' } }, audit };

// @ts-expect-error a change without its audit facts
export const unaudited: Reply<'createSite'> = { status: 201, body: { data: site } };

// @ts-expect-error a field that the request does not have
export const unknownField = (call: Call<'createSite'>): string => call.body.colour;

// @ts-expect-error an admin has no org
export const adminOrg = (call: Call<'approveOrg'>): string => call.caller.orgId;

export const right: Reply<'createSite'> = { status: 201, body: { data: site }, audit };
