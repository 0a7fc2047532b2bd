import express from 'express';
import schemas from '../../generated/schemas.json' with { type: 'json' };
import { staticResponse } from '../platform/http/listener/static-responses.ts';

/**
 * The JSON Schemas of the frames, each at its `$id`, and their list at `/schemas`, for authors of agents and stream
 * viewers. They are public and the same for every caller, as the contract is. A published path is permanent.
 */
export function schemaPages(): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const items = Object.values(schemas).map(({ $id, title, description }) => ({ path: $id, title, description }));
  router.get('/schemas', serveText('application/json', { items }));
  for (const [path, schema] of Object.entries(schemas)) router.get(path, serveText('application/schema+json', schema));
  return router;
}

const serveText = (type: string, value: object) =>
  staticResponse(
    {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=60',
      'Content-Type': `${type}; charset=utf-8`,
      'X-Content-Type-Options': 'nosniff',
    },
    () => JSON.stringify(value),
  );
