/** What an org can have limits of. */
type QuotaName = 'robots' | 'artifact_bytes' | 'live_streams' | 'log_bytes_per_day';

/** `limit`: undefined for none. */
export interface Quota {
  limit: number | undefined;
  used: number;
}

/** Of today, and not counted without a limit. */
interface DailyQuota {
  limit: number | undefined;
  used: number | undefined;
  refusedRecords: number | undefined;
}

export type Quotas = Record<StoredName | 'live_streams', Quota> & { log_bytes_per_day: DailyQuota };

/** The limits of an org; undefined for none. */
export type QuotaLimits = Partial<Record<QuotaName, number | undefined>>;

/** Those that a request adds to for good. */
export type StoredName = Exclude<QuotaName, 'live_streams' | 'log_bytes_per_day'>;

const nouns: Record<StoredName, string> = { robots: 'robots', artifact_bytes: 'bytes of artifacts' };

/** What to do about a refusal. */
const remedies: Record<StoredName, string> = {
  robots: 'remove robots, or ask the operator of the service for a higher quota',
  artifact_bytes: 'ask the operator of the service for a higher quota',
};

/** `wanted`: what the refused request would add. */
export const refusalOf = (name: StoredName, { limit, used }: { limit: number; used: number }, wanted: number): string =>
  `the org has ${used} of ${limit} ${nouns[name]}, and this request adds ${wanted}; ${remedies[name]}`;
