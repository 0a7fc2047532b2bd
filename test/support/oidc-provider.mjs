/**
 * A real identity provider as a process of its own: `node oidc-provider.mjs [port]`, default a free one. It writes its issuer as one line of
 * stdout. Whoever types a login is that subject: `ann@example.com` has that address, verified; what stands behind a `#` makes another subject
 * of the same address; `unverified-…@…` is not verified; `says-so-…@…` is verified by the text "true"; a login without `@` has no address.
 * `POST /control/<mode>` spoils answers from then on: `nonce`, `signature`, `userinfo`, `refuse` (the client), or `none` again.
 */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const clientId = 'fleet';
let mode = 'none';

const server = createServer((request, response) => {
  handle(request, response).catch((error) => response.writeHead(500).end(String(error)));
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => process.stdout.write(`${issuer()}\n`));

const issuer = () => `http://127.0.0.1:${server.address().port}`;

let made;
function provider() {
  made ??= makeProvider();
  return made;
}

function makeProvider() {
  const it = new Provider(issuer(), {
    clients: [
      {
        client_id: clientId,
        client_secret: 'secret-of-the-tests',
        redirect_uris: ['https://fleet.example.com/sign-in/callback'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    pkce: { methods: ['S256'], required: () => true },
    async findAccount(_context, login) {
      const [email] = login.split('#');
      const address = email.includes('@') ? { email, email_verified: isVerified(email) } : {};
      return { accountId: login, claims: async () => ({ sub: login, name: `Person ${email}`, ...address }) };
    },
    /** Nobody is asked whether the service may know the address. */
    async loadExistingGrant(context) {
      const grant = new it.Grant({ clientId, accountId: context.oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  // A server of the tests listens on a port that nobody knows before.
  const isCallback = (uri) => /^http:\/\/(127\.0\.0\.1|localhost):\d+\/sign-in\/callback$/.test(uri);
  const { redirectUriAllowed } = it.Client.prototype;
  it.Client.prototype.redirectUriAllowed = function allowed(uri) {
    return isCallback(uri) || redirectUriAllowed.call(this, uri);
  };
  return it;
}

const isVerified = (email) => (email.startsWith('says-so-') ? 'true' : !email.startsWith('unverified-'));

async function handle(request, response) {
  const url = new URL(request.url, issuer());
  const [, place, name] = url.pathname.split('/');
  if (place === 'control') {
    mode = name;
    response.end();
  } else if (place === 'interaction' && request.method === 'GET') {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><html lang="en"><title>Provider</title><h1>Sign in at the provider</h1>
      <form method="post"><label>Login <input name="login"></label><button>Continue</button></form>`);
  } else if (place === 'interaction') {
    let body = '';
    for await (const chunk of request) body += chunk;
    const login = new URLSearchParams(body).get('login');
    const result = login === 'refused' ? { error: 'access_denied' } : { login: { accountId: login } };
    await provider().interactionFinished(request, response, result);
  } else {
    spoil(request, response, url, place);
    provider().callback()(request, response);
  }
}

function spoil(request, response, url, place) {
  if (place === 'auth' && mode === 'nonce' && url.searchParams.has('nonce')) {
    url.searchParams.set('nonce', 'of-somebody-else');
    request.url = `${url.pathname}${url.search}`;
  }
  if (place === 'token' && mode === 'refuse')
    request.headers.authorization = `Basic ${btoa(`${clientId}:another secret`)}`;
  if ((place === 'token' && mode === 'signature') || (place === 'me' && mode === 'userinfo')) {
    const end = response.end.bind(response);
    response.end = (text) => {
      const answer = JSON.parse(String(text));
      if (place === 'me') answer.sub = 'somebody-else';
      else answer.id_token = answer.id_token.replace(/\.[^.]{8}([^.]*)$/, '.AAAAAAAA$1');
      const spoilt = JSON.stringify(answer);
      response.setHeader('Content-Length', Buffer.byteLength(spoilt));
      return end(spoilt);
    };
  }
}
