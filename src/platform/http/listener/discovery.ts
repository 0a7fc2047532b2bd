import { createHash } from 'node:crypto';
import express from 'express';

/** The very bytes of a document as they are served: `servers` names the public address where one is set. */
export const servedText = (document: object, publicUrl?: string): string =>
  JSON.stringify(
    publicUrl === undefined ? document : { ...document, servers: [{ url: publicUrl, description: 'This service.' }] },
  );

/** `/asyncapi.json` names the public address too where one is set; AsyncAPI 3 has its parts apart, and servers by name. */
export function withStreamServer<T extends object>(document: T, publicUrl: string | undefined): T {
  if (publicUrl === undefined) return document;
  const { protocol, host, pathname } = new URL(publicUrl);
  const path = pathname === '/' ? {} : { pathname };
  const service = { host, ...path, protocol: protocol === 'https:' ? 'wss' : 'ws', description: 'This service.' };
  return { ...document, servers: { service } };
}

/**
 * What `X-Spec-Digest` says on each answer of the API: anybody can compute it with `sha256sum` of `/openapi.json`. It is computed for the first
 * answer, as a start has better to do.
 */
export function specDigest(document: object, publicUrl: string | undefined): () => string {
  let digest: string | undefined;
  return () => (digest ??= createHash('sha256').update(servedText(document, publicUrl)).digest('hex'));
}

/** RFC 8631, and where the catalog is. A program that was given the address of any page finds the contract from there. */
const links = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"',
].join(', ');

/** Pages of the reference, not the files they load, and the documents. Answers of the API tell `X-Spec-Digest` instead: who got there has found it. */
const signposts = /^\/($|docs(\/[\w-]+)*$|(openapi|openapi-3\.0|asyncapi)\.json$|\.well-known\/api-catalog$)/;

/**
 * What leads a program that knows only this host to the contract: `Link` headers, and the catalog of RFC 9727. Where no public address is set its
 * references are relative, for only who asks knows by which address the service was reached.
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
