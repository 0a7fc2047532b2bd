import { setTimeout as after } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { baseUrlOf, checkedBaseUrl, checkedToken, isLoopback } from '../../api/connection.ts';
import { CliError } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Profile } from '../../api/profile.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { newAttempt, type Attempt } from './attempt.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { listenForBrowser, type Listener } from './listener.ts';
import type { Outcome } from './outcome.ts';
import { readPasted } from './pasted.ts';
import { authorizeUrl, checkPortal, redeem } from './portal.ts';

/** How long the person may take in the browser. */
const usualTimeoutMs = 5 * 60_000;

/**
 * Gets a token by browser: the person signs in at the portal, and the browser returns a code, which this process
 * exchanges. Flags: `--portal-url`, `--no-browser`, `--org`. Saves nothing. `timeoutMs`: default 5 minutes.
 * @throws CliError
 */
export async function signInByBrowser(
  call: Invocation,
  base: ReturnType<typeof baseUrlOf>,
  profile: Profile,
  timeoutMs = usualTimeoutMs,
): Promise<string> {
  const { environment, flags, io } = call;
  const given = flags.text('portal-url');
  const portal =
    given === undefined
      ? { ...base, profile }
      : { baseUrl: checkedBaseUrl(given, '--portal-url'), baseUrlFrom: '--portal-url', profile };
  const { hostname, protocol } = new URL(portal.baseUrl);
  if (protocol === 'http:' && !isLoopback(hostname) && portal.baseUrl !== base.baseUrl)
    io.note(`Warning: ${portal.baseUrl} is not encrypted; others on the network can read the token.`);
  await checkPortal(call, portal);

  const attempt = newAttempt();
  const listener = await listenForBrowser(attempt);
  try {
    const question = { attempt, redirectUri: listener.redirectUri, org: flags.text('org') };
    const url = authorizeUrl(portal.baseUrl, { ...question, showsCode: environment.isOverSsh });
    const opens = flags.on('browser') && hasBrowser(environment);
    io.note(`${opens ? 'Sign in with the browser; if none opens, go to' : 'To sign in, open in a browser'}:\n  ${url}`);
    if (opens) openBrowser(url, () => io.note('No browser could be opened: open the address yourself.'));
    const outcome = await answerTo(call, attempt, listener, timeoutMs);
    if (outcome === 'refused')
      throw new CliError('the sign-in was refused in the browser', {
        code: 'unauthorized',
        exit: exitCode.auth,
        hint: 'Nothing was saved. Try again: cli login',
      });
    const proof = { code: outcome.code, verifier: attempt.verifier, redirectUri: listener.redirectUri };
    return checkedToken(await redeem(call, portal, proof), portal.baseUrl);
  } finally {
    listener.close();
  }
}

/** The first result, from the browser or pasted. @throws CliError after the timeout */
async function answerTo(
  { flags, io }: Pick<Invocation, 'flags' | 'io'>,
  attempt: Attempt,
  listener: Listener,
  timeoutMs: number,
): Promise<Outcome> {
  const isTerminal = isatty(0);
  // A pipe is not a person who pastes, unless the flags say that this machine has no browser.
  const pasted =
    isTerminal || !flags.on('browser')
      ? readPasted(io.input, attempt, listener.redirectUri, () =>
          io.note('This is not the code or the address of this sign-in.'),
        )
      : undefined;
  if (isTerminal) io.note('Waiting for the browser. If it runs on another machine, paste the code that it shows.');
  const late = new AbortController();
  try {
    return await Promise.race([
      listener.outcome,
      ...(pasted ? [pasted.outcome] : []),
      after(timeoutMs, undefined, { signal: late.signal }).then(() => {
        throw new CliError('the sign-in expired', {
          code: 'unauthorized',
          exit: exitCode.auth,
          hint: 'Nothing was saved. Try again: cli login',
        });
      }),
    ]);
  } finally {
    late.abort();
    pasted?.close();
  }
}
