import { orgOf, type Caller, type Grant } from '../../../kernel/caller.ts';
import { badRequest, notFound, orgSuspended } from '../../../kernel/errors.ts';

/** The caller of a request, as far as it is known before the operation is. */
interface OrgChoice {
  /** Undefined while the credential is valid in several orgs and the request names none of them, or another org. */
  caller: Caller | undefined;
  /**
   * The caller for the rest of the request. `anyOrg`: if the request names no org, use the first; default false.
   * @throws not_found for an org that is not the credential's, bad_request if the request must name an org
   */
  settle(options?: { anyOrg?: boolean }): Caller;
}

/**
 * Selects, from the grants of one credential (at least one), the grant of the org in `X-Service-Org-Id`. A suspended
 * org still counts as one of several: suspending an org does not change the meaning of a request without the header.
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
      throw badRequest(
        'X-Service-Org-Id: the token is valid in several orgs; send the ID of one that GET /api/whoami lists',
      );
    },
  };
}
