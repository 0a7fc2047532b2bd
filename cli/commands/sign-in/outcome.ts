import { codeForm, isStateOf, type Attempt } from './attempt.ts';

/** The person's decision in the browser: a code to exchange, or a refusal. */
export type Outcome = { code: string } | 'refused';

/** Parses the query of a redirect URL; undefined if it belongs to another attempt or has no result. */
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
