import { createHash } from 'node:crypto';
import express from 'express';

/** The exact bytes of a document as served: `servers` contains the public address if one is set. */
export const servedText = (document: object, publicUrl?: string): string =>
  JSON.stringify(
    publicUrl === undefined ? document : { ...document, servers: [{ url: publicUrl, description: 'This service.' }] },
  );

/** Adds the public address, if set, to `/asyncapi.json`. AsyncAPI 3 splits the address and names its servers. */
export function withStreamServer<T extends object>(document: T, publicUrl: string | undefined): T {
  if (publicUrl === undefined) return document;
  const { protocol, host, pathname } = new URL(publicUrl);
  const path = pathname === '/' ? {} : { pathname };
  const service = { host, ...path, protocol: protocol === 'https:' ? 'wss' : 'ws', description: 'This service.' };
  return { ...document, servers: { service } };
}

/**
 * The value of `X-Spec-Digest` on every API response: the `sha256sum` of `/openapi.json`. Computed for the first
 * response, to keep the start fast.
 */
export function specDigest(document: object, publicUrl: string | undefined): () => string {
  let digest: string | undefined;
  return () => (digest ??= createHash('sha256').update(servedText(document, publicUrl)).digest('hex'));
}

/** RFC 8631, and the location of the catalog. From the address of any page, a program finds the contract. */
const links = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"',
].join(', ');

/**
 * Pages of the reference, not the files they load, and the documents. API responses carry `X-Spec-Digest` instead:
 * their callers already know the contract.
 */
const signposts = /^\/($|docs(\/[\w-]+)*$|(openapi|openapi-3\.0|asyncapi)\.json$|\.well-known\/api-catalog$)/;

/**
 * Leads a program that knows only this host to the contract: `Link` headers, and the catalog of RFC 9727. Without a
 * public address the references are relative, as only the caller knows the address by which it reached the service.
 */
export function discovery(publicUrl: string | undefined): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const at = (path: string, type: string) => ({ href: `${publicUrl ?? ''}${path}`, type });
  const catalog = JSON.stringify({
    linkset: [
      {
        anchor: `${publicUrl ?? ''}/`,
        'service-desc': ['/openapi.json', '/openapi-3.0.json', '/asyncapi.json'].map((path) =>
          at(path, 'application/json'),
        ),
        'service-doc': [at('/docs', 'text/html')],
        status: [at('/readyz', 'application/json')],
      },
    ],
  });
  router.use((request, response, next) => {
    if (signposts.test(request.path)) response.set('Link', links);
    next();
  });
  router.get('/.well-known/api-catalog', (_request, response) => {
    response
      .set({
        'Content-Type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        'Cache-Control': 'public, max-age=3600',
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
      })
      .end(catalog);
  });
  return router;
}
