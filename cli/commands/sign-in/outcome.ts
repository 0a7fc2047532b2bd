import { codeForm, isStateOf, type Attempt } from './attempt.ts';

/** What the person said in the browser: a code to exchange, or no. */
export type Outcome = { code: string } | 'refused';

/** Reads the query of a redirect URL; undefined for one that is not of this attempt or says nothing. */
export function outcomeOf(attempt: Pick<Attempt, 'state'>, query: URLSearchParams): Outcome | undefined {
  const one = (name: string) => {
    const [value, ...more] = query.getAll(name);
    return more.length === 0 ? value : undefined;
  };
  const [state, code, error] = [one('state'), one('code'), one('error')];
  if (state === undefined || !isStateOf(attempt, state)) return undefined;
  if (query.has('error')) return error === 'access_denied' && !query.has('code') ? 'refused' : undefined;
  return code !== undefined && codeForm.test(code) ? { code } : undefined;
}
