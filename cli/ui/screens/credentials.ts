import { age } from '../components/age.ts';
import type { EnrollmentKey, Token } from '../data/data.ts';
import type { TableColumn } from '../table/definition.ts';

/** Common to enrollment keys and tokens. */
type Credential = EnrollmentKey | Token;

/** Display name: the value itself is never shown again. */
export const credentialName = ({ label, last_four: lastFour }: Credential) => label ?? `(ends in ${lastFour})`;

/** Why it is no longer valid; undefined: neither revoked nor expired. */
export function endOf({ revoked_at: revoked, expires_at: expires }: Credential): 'revoked' | 'expired' | undefined {
  if (revoked !== undefined) return 'revoked';
  return expires !== undefined && Date.parse(expires) <= Date.now() ? 'expired' : undefined;
}

/** An end this near is shown as a warning. */
const soonMs = 14 * 86_400_000;

export const expiresColumn = <T>(rank: number, credentialOf: (row: T) => Credential): TableColumn<T> => ({
  title: 'expires',
  width: 8,
  rank,
  align: 'right',
  text(row) {
    const { expires_at: at } = credentialOf(row);
    return at === undefined ? 'never' : age(at);
  },
  saved: (row) => credentialOf(row).expires_at ?? 'never',
  tone(row) {
    const left = Date.parse(credentialOf(row).expires_at ?? '') - Date.now();
    return left > 0 && left < soonMs ? 'warn' : undefined;
  },
  isSearched: false,
  order: (row) => Date.parse(credentialOf(row).expires_at ?? ''),
});
