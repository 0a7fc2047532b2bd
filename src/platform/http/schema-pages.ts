import { createHash } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import schemas from '../../../generated/schemas.json' with { type: 'json' };
import { isKnown } from './etags.ts';

/**
 * The JSON Schemas of the frames, each at its `$id`, and the list of them at `/schemas`: for whoever writes an agent or a viewer of streams. They are public and
 * the same for everybody, as the contract is. A path that was published stays.
 */
export function schemaPages(): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const items = Object.values(schemas).map(({ $id, title, description }) => ({ path: $id, title, description }));
  router.get('/schemas', serveText('application/json', { items }));
  for (const [path, schema] of Object.entries(schemas)) router.get(path, serveText('application/schema+json', schema));
  return router;
}

/** Most processes are never asked, so a text is made for who asks first. */
function serveText(type: string, value: object) {
  let made: { text: string; tag: string } | undefined;
  const make = () => {
    const text = JSON.stringify(value);
    return { text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` };
  };
  return (request: Request, response: Response) => {
    const { text, tag } = (made ??= make());
    response.set({
      ETag: tag,
      'Cache-Control': 'public, max-age=60',
      'Access-Control-Allow-Origin': '*',
      'Content-Type': type,
      'X-Content-Type-Options': 'nosniff',
    });
    if (isKnown(request.headers['if-none-match'], tag)) response.status(304).end();
    else response.send(text);
  };
}
