import type { ObjectRef } from './index-store.ts';

/** The key of an object in the bucket. Those of artifacts begin with their org too. */
export const keyOf = ({ orgId, id }: ObjectRef): string => `${orgId}/logs/${id}`;
