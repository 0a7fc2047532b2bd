/**
 * The part of a browser that tests need: it keeps cookies, sends the origin of its forms, and follows no redirect by
 * itself.
 */
export class PlainBrowser {
  readonly jar = new Map<string, string>();
  readonly origin: string;
  constructor(origin: string) {
    this.origin = origin;
  }

  async get(address: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.send(address, { headers });
  }

  /** Posts a form from one of the service's pages. */
  async post(
    address: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    return this.send(address, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: {
        Origin: this.origin,
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
        ...headers,
      },
    });
  }

  async send(
    address: string,
    init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  ): Promise<PageAnswer> {
    const url = new URL(address, this.origin);
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = Object.fromEntries(
      Object.entries({ Cookie: cookie, ...init.headers }).filter(([, text]) => text !== ''),
    );
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (/Max-Age=0\b/.test(line) || /1970/.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    const { status, headers: answered } = response;
    return { status, headers: answered, text: await response.text(), location: answered.get('location') ?? '' };
  }

  /** The CSRF field of the forms in this browser's session. */
  async csrf(): Promise<string> {
    return csrfIn((await this.get('/portal')).text);
  }

  /** Signs in on the development page. */
  async signInLocally(email: string, returnTo = '/portal'): Promise<PageAnswer> {
    return this.post('/sign-in', { email, return_to: returnTo });
  }
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  text: string;
  location: string; // empty: none
}

export const csrfIn = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
