import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PlainBrowser, type PageAnswer } from './browser.ts';

const script = fileURLToPath(new URL('oidc-provider.mjs', import.meta.url));

export interface OidcProvider extends AsyncDisposable {
  issuer: string;
  port: number;
  /** Settings of a service whose users sign in there. */
  env: Record<string, string>;
  /** Makes its responses invalid from now on; `oidc-provider.mjs` has the list. */
  spoil(mode: 'nonce' | 'signature' | 'userinfo' | 'refuse' | 'none'): Promise<void>;
  stop(): Promise<void>;
}

/** A real identity provider, in its own process. `port`: default a free one. */
export async function startOidcProvider(port = 0): Promise<OidcProvider> {
  const child = spawn(process.execPath, [script, String(port)], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += String(chunk)));
  const exited = once(child, 'exit');
  const [issuer] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error(`the provider ended: ${complaints}`))),
  ])) as [string];
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    issuer,
    port: Number(new URL(issuer).port),
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'fleet', OIDC_CLIENT_SECRET: 'secret-of-the-tests' },
    async spoil(mode) {
      await fetch(`${issuer}/control/${mode}`, { method: 'POST' });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * Follows the service's sign-in to the provider and enters the login; returns the URL to which the provider redirects
 * the browser.
 */
export async function callbackOf(
  browser: PlainBrowser,
  provider: Pick<OidcProvider, 'issuer'>,
  login: string,
  signIn = '/sign-in',
): Promise<string> {
  const { location } = await browser.get(signIn);
  if (!location.startsWith(provider.issuer)) throw new Error(`the sign-in led to ${location}`);
  const there = new PlainBrowser(provider.issuer);
  let answer = await there.get(location);
  answer = await there.post(answer.location, { login });
  answer = await there.get(answer.location);
  return answer.location;
}

/** A complete sign-in; returns the service's response to the callback. */
export const signInAt = async (
  provider: Pick<OidcProvider, 'issuer'>,
  browser: PlainBrowser,
  login: string,
  signIn?: string,
): Promise<PageAnswer> => browser.get(await callbackOf(browser, provider, login, signIn));
