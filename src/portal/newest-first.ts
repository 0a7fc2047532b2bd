import type { Request } from 'express';
import { badRequest } from '../kernel/errors.ts';
import { decodeCursor, encodeCursor, type Page } from '../kernel/page.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { placeOf } from '../platform/db/page.ts';
import { html, type Html } from '../platform/http/html.ts';

/** Rows of one page. */
export const pageRows = 100;

/**
 * What the page has that the query `before` asks for, the newest first, each as the JSON of the contract, with the way to the other pages.
 * @throws bad_request for a `before` that no page of the list links to
 */
export async function newestFirst(
  { path, query: { before } }: Request,
  list: (page: Page) => Promise<JsonRows<string>>,
): Promise<{ objects: readonly string[]; links: Html | undefined }> {
  if (before !== undefined && typeof before !== 'string') throw badRequest('before is given twice');
  const begin = before === undefined ? {} : { after: decodeCursor(before) };
  const page = await list({ ...begin, limit: pageRows + 1, newestFirst: true });
  const older = page.objects.length > pageRows ? encodeCursor(placeOf(page, pageRows - 1)) : undefined;
  return {
    objects: page.objects.slice(0, pageRows),
    links: pageLinks(path, { isLatest: before === undefined, older }),
  };
}

/** The way to the latest page of a list, and to the one behind this, by its `before`; undefined where this page is all. */
export function pageLinks(
  path: string,
  { isLatest, older }: { isLatest: boolean; older: string | number | undefined },
): Html | undefined {
  if (isLatest && older === undefined) return undefined;
  return html`<p class="pages">
    ${isLatest ? undefined : html`<a href="${path}">The latest</a>`}
    ${older === undefined ? undefined : html`<a href="${path}?before=${older}">Older ones</a>`}
  </p>`;
}
