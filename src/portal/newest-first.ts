import type { Request } from 'express';
import { badRequest } from '../kernel/errors.ts';
import { decodeCursor, encodeCursor, type Page } from '../kernel/page.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { placeOf } from '../platform/db/page.ts';
import { html, type Html } from '../platform/http/html.ts';

/** Rows per page. */
export const pageRows = 100;

/**
 * The page of a list for the query `before`, newest first, each row as the JSON of the contract, with links to the
 * other pages.
 * @throws bad_request for a `before` that no page of the list links to
 */
export async function newestFirst(
  { path, query: { before } }: Request,
  list: (page: Page) => Promise<JsonRows<string>>,
): Promise<{ objects: readonly string[]; links: Html | undefined }> {
  if (before !== undefined && typeof before !== 'string') throw badRequest('before occurs twice');
  const begin = before === undefined ? {} : { after: decodeCursor(before) };
  const page = await list({ ...begin, limit: pageRows + 1, newestFirst: true });
  const older = page.objects.length > pageRows ? encodeCursor(placeOf(page, pageRows - 1)) : undefined;
  return {
    objects: page.objects.slice(0, pageRows),
    links: pageLinks(path, { isLatest: before === undefined, older }),
  };
}

/** Links to the latest page of a list, and to the next older one by its `before`; undefined for a single page. */
export function pageLinks(
  path: string,
  { isLatest, older }: { isLatest: boolean; older: string | number | undefined },
): Html | undefined {
  if (isLatest && older === undefined) return undefined;
  return html`<p class="pages">
    ${isLatest ? undefined : html`<a href="${path}">Newest entries</a>`}
    ${older === undefined ? undefined : html`<a href="${path}?before=${older}">Older entries</a>`}
  </p>`;
}
