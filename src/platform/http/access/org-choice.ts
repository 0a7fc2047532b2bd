import { orgOf, type Caller, type Grant } from '../../../kernel/caller.ts';
import { badRequest, notFound, orgSuspended } from '../../../kernel/errors.ts';

/** Whom a request speaks for, as far as that is clear before its operation is known. */
interface OrgChoice {
  /** Undefined while the credential is good in several orgs and none of them is named, or another. */
  caller: Caller | undefined;
  /**
   * The caller to go on with. `anyOrg`: where none is named, the first org will do; default false.
   * @throws not_found for an org that is not the credential's, bad_request when one has to be named
   */
  settle(options?: { anyOrg?: boolean }): Caller;
}

/**
 * Of the grants of one credential, of which there is at least one, that of the org which `X-Service-Org-Id` names. A suspended org counts as one
 * of several: what a call without a choice means does not change while it is suspended.
 * @throws unauthorized if that org is suspended
 */
export function orgChoice(grants: readonly Grant[], name: string | string[] | undefined): OrgChoice {
  const wanted = name === undefined ? undefined : String(name).toLowerCase();
  const isWanted = ({ caller }: Grant) => wanted === undefined || (orgOf(caller) ?? wanted) === wanted;
  const [first] = grants;
  const known = grants.length === 1 ? first : wanted === undefined ? undefined : grants.find(isWanted);
  if (known?.orgSuspended) throw orgSuspended();
  return {
    caller: known?.caller,
    settle({ anyOrg = false } = {}) {
      if (known && isWanted(known)) return known.caller;
      if (wanted !== undefined) throw notFound('org');
      const good = anyOrg ? grants.find(({ orgSuspended }) => !orgSuspended) : undefined;
      if (good) return good.caller;
      throw badRequest('X-Service-Org-Id: the token is good in several orgs; name one of those that whoami lists');
    },
  };
}
