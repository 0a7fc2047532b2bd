import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

/**
 * What `--signature` and `--key-id` say, as the API takes it: both or nothing; nothing where `--sign` makes one. Throws a usage error for one without
 * the other.
 */
export function signatureOf({ flags }: Invocation): { signature?: string; key_id?: string } {
  if (flags.has('sign') && flags.isGiven('sign')) return {};
  const [signature, keyId] = [flags.text('signature'), flags.text('key-id')];
  if (signature !== undefined && keyId !== undefined) return { signature, key_id: keyId };
  if (signature === undefined && keyId === undefined) return {};
  throw usage('--signature and --key-id go together');
}
