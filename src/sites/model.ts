import { badRequest } from '../kernel/errors.ts';

/** A place where robots work. */
export interface Site {
  id: string;
  name: string;
  artifactBaseUrl: string | undefined; // without a trailing slash
  createdAt: Date;
}

/** Fields of a site that callers set. The empty address means that there is no cache. */
export interface SiteChange {
  name?: string | undefined;
  artifactBaseUrl?: string | undefined;
}

/**
 * The address of a cache as it is stored: null for none. The digest protects the bytes, so http is allowed.
 * @throws bad_request
 */
export function storedAddress(address: string): string | null {
  if (address === '') return null;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username + url.password + url.search + url.hash !== '')
    throw badRequest('artifact_base_url: must be an http or https address without credentials, query and fragment');
  return address;
}

export interface SiteFilter {
  name?: string | undefined;
}
