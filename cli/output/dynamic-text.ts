import type { AnyDeployment } from '../api/api.ts';
import { localMinute } from './time.ts';

/** `until 12-31 09:00 +09:00`, `ended`; empty unless robots that match later were to receive it too. */
export const dynamicText = ({ dynamic, dynamic_until: until }: AnyDeployment): string =>
  until === undefined ? '' : dynamic === true ? `until ${localMinute(until)}` : 'ended';
