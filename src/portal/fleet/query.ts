import type { Request } from 'express';
import { badRequest } from '../../kernel/errors.ts';
import { decodeCursor, encodeCursor, type Page } from '../../kernel/page.ts';
import type { JsonRows } from '../../platform/db/json-rows.ts';
import { placeOf } from '../../platform/db/page.ts';
import { html, type Html } from '../page.ts';

/** The most characters of one value; a list of labels is the longest. */
const maxLength = 2_500;
/** Rows per page. */
const pageRows = 50;

/**
 * The query of a page. An empty value is that of an unused field of a form and counts as missing.
 * @throws bad_request for an unknown or repeated name, or a value that no list has
 */
export function readQuery<Name extends string>(
  { originalUrl }: Request,
  known: readonly Name[],
): Partial<Record<Name, string>> {
  const query: Partial<Record<string, string>> = {};
  for (const [name, value] of new URL(originalUrl, 'http://service.invalid').searchParams) {
    const shown = name.slice(0, 64);
    if (!(known as readonly string[]).includes(name))
      throw badRequest(`unknown query parameter "${shown}"; this page has ${known.join(', ') || 'none'}`);
    if (query[name] !== undefined) throw badRequest(`query parameter "${shown}" occurs twice`);
    if (value.length > maxLength || /\p{Cc}/u.test(value))
      throw badRequest(`query parameter "${shown}" must be at most ${maxLength} characters on one line`);
    if (value !== '') query[name] = value;
  }
  return query; // each name is checked above
}

/** @throws bad_request unless the value is missing or one of these */
export function oneOf<Value extends string>(
  name: string,
  value: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const found = values.find((each) => each === value);
  if (value !== undefined && found === undefined)
    throw badRequest(`query parameter "${name}" must be ${values.join(', ')}, not "${value.slice(0, 64)}"`);
  return found;
}

/**
 * The rows, as JSON, of one page of a list, with links to its first and its next page.
 * @throws bad_request for a cursor of another list
 */
export async function pageOf(
  path: string,
  { cursor, ...filter }: Partial<Record<string, string>>,
  list: (page: Page) => Promise<JsonRows<string>>,
): Promise<{ objects: readonly string[]; links: Html | undefined }> {
  const start = cursor === undefined ? {} : { after: decodeCursor(cursor) };
  const found = await list({ ...start, limit: pageRows + 1 });
  const next = found.objects.length > pageRows ? encodeCursor(placeOf(found, pageRows - 1)) : undefined;
  const objects = found.objects.slice(0, pageRows);
  if (cursor === undefined && next === undefined) return { objects, links: undefined };
  return {
    objects,
    links: html`<p class="pages">
      ${cursor === undefined ? undefined : html`<a href="${linkTo(path, filter)}">First page</a>`}
      ${next === undefined ? undefined : html`<a href="${linkTo(path, { ...filter, cursor: next })}">Next page</a>`}
    </p>`,
  };
}

/** An address with a query. */
export function linkTo(path: string, query: Partial<Record<string, string>>): string {
  const used = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return used.length === 0 ? path : `${path}?${new URLSearchParams(used).toString()}`;
}
