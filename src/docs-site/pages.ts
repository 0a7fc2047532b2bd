import express, { type NextFunction, type Request, type Response } from 'express';
import { withCodeSamples } from './code-samples.ts';
import { discovery, servedText, specDigest, withStreamServer } from '../platform/http/listener/discovery.ts';
import { HttpError } from '../platform/http/reply/failures.ts';
import { referencePages } from './reference/index.ts';
import type { AsyncDocument } from './reference/streams.ts';
import { sendFailure } from '../platform/http/reply/reply.ts';
import { schemaPages } from './schema-pages.ts';
import { staticResponse } from '../platform/http/listener/static-responses.ts';

interface PageSettings {
  contract: object;
  contract30: object;
  asyncapi: AsyncDocument; // the WebSockets
  publicUrl: string | undefined;
  /** The built assets of the reference: redoc.js and its siblings. */
  assetsDir: string;
  /** The guides: `docs/` of the package. */
  docsDir: string;
  /** Pages for people; default none. */
  portal?: express.Router;
}

/** Serves the contract and its reference to browsers and generators. An Express app; the API does not use it. */
export function createPages({
  contract,
  contract30,
  asyncapi,
  publicUrl,
  assetsDir,
  docsDir,
  portal,
}: PageSettings): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // handlers that need an ETag set their own
  app.enable('case sensitive routing');
  app.enable('strict routing');

  app.use(discovery(publicUrl));
  app.get('/openapi.json', serveContract(contract, publicUrl));
  app.get('/openapi-3.0.json', serveContract(contract30, publicUrl));
  app.get('/asyncapi.json', serveContract(withStreamServer(asyncapi, publicUrl)));
  app.get('/docs/openapi.json', serveContract(withCodeSamples(contract, publicUrl), publicUrl));
  app.use(schemaPages());
  app.get('/', (_request, response) => response.redirect('/docs'));
  app.use(referencePages({ asyncapi, assetsDir, docsDir, digest: specDigest(contract, publicUrl) }));
  if (portal) app.use(portal);
  app.use((_request: Request, response: Response) => {
    response.status(404).json({ error: { code: 'not_found', message: 'path not found' } });
  });
  // Express recognises an error handler by its four parameters. Its default handler would send a page with the stack.
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendFailure(response, isHttpStatus(error) ? new HttpError(error.status, error.message) : error, {});
  });
  return app;
}

/** Errors with which Express and its middleware refuse a request. */
const isHttpStatus = (error: unknown): error is Error & { status: number } =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500;

/** The document is public: any page may read it, and a generator revalidates it at no cost. */
function serveContract(document: object, publicUrl?: string) {
  return staticResponse(
    {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=60',
      'Content-Type': 'application/json; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    () => servedText(document, publicUrl),
  );
}
