import type { KeyedPath } from './types.ts';

/** Paths that accept an Idempotency-Key; the compiler verifies that the list is complete. */
export const keyedPaths: Record<KeyedPath, true> = {
  '/api/deployments': true,
  '/api/deployments/{id}/retry': true,
  '/api/configs/deployments': true,
  '/api/configs/deployments/{id}/retry': true,
};

const endOfUrl = new RegExp(`(?:${Object.keys(keyedPaths).join('|').replaceAll('{id}', '[^/]+')})$`);

/** Whether a POST to this URL takes an Idempotency-Key. A base URL may have a path. */
export const isKeyed = (url: string): boolean => endOfUrl.test(new URL(url).pathname);
