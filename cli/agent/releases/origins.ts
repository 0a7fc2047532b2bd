import type { PayloadSource } from '../orders/payload.ts';

/**
 * Where an artifact comes from: first the cache of the site, if the order names one. Then the service, which may send the
 * agent to its object store. If the store fails too, the service alone. The digest protects the bytes of all three.
 */
export type OriginName = 'cache' | 'store' | 'service';

/** What one attempt asks. */
export interface Origin {
  url: URL;
  isService: boolean; // the only one that gets the token
  takesRedirect: boolean;
}

/** The store is asked again once, with a new address: the previous one may have expired. */
const maxStoreFailures = 2;

/** Chooses the origin of each attempt of one download. */
export function originsOf(sha256: string, { backendUrl, troubles }: PayloadSource, cacheBaseUrl: string | undefined) {
  let cache = cacheBaseUrl === undefined ? undefined : cacheUrl(cacheBaseUrl, sha256);
  let storeFailures = 0;
  if (cacheBaseUrl !== undefined && !cache) fail('cache', 'its address is invalid');
  const service = new URL(`${backendUrl}/api/artifacts/${sha256}`);

  function fail(origin: OriginName, why: string): void {
    if (origin === 'service') return;
    if (origin === 'cache') cache = undefined;
    else if ((storeFailures += 1) < maxStoreFailures) return;
    troubles?.is(`artifact-${origin}`, `${titles[origin]} failed: ${why}. Artifacts are downloaded from the service`);
  }

  return {
    next: (): Origin =>
      cache
        ? { url: cache, isService: false, takesRedirect: false }
        : { url: service, isService: true, takesRedirect: storeFailures < maxStoreFailures },

    /** An attempt brought bytes. */
    gained(origin: OriginName): void {
      if (origin === 'store') storeFailures = 0;
    },

    /** An attempt brought nothing. */
    fail,

    /** The whole file is here, and its digest is right. */
    completed(origin: OriginName): void {
      if (origin !== 'service') troubles?.over(`artifact-${origin}`, `${titles[origin]} serves artifacts again`);
    },

    /** The bytes had another digest: from now on only the service is asked, and it sends the bytes itself. */
    distrust(origin: OriginName, why: string): void {
      cache = undefined;
      storeFailures = maxStoreFailures - 1;
      fail(origin, why);
      storeFailures = maxStoreFailures;
    },
  };
}

const titles = { cache: 'the artifact cache of the site', store: 'the download from the object store' };

/** Undefined for an address that is not http or https, or that carries credentials. */
function cacheUrl(base: string, sha256: string): URL | undefined {
  const text = `${base.replace(/\/+$/, '')}/${sha256}`;
  return URL.canParse(text) ? otherHost(new URL(text)) : undefined;
}

/** Another host that the agent may ask, without its token. */
export const otherHost = (url: URL): URL | undefined =>
  ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
