import type { RobotPin } from '../api/api.ts';
import { bothTimes } from './time.ts';

/** As in `nav-1.8.2 until 2026-12-01 08:00 UTC: demo (ops@example.com)`. */
export const pinText = ({ tag, until, reason, pinned_by: by }: RobotPin): string =>
  `${tag} until ${bothTimes(until)}: ${reason} (${by})`;
