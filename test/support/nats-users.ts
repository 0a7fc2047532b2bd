import { nkeys } from '@nats-io/transport-node';

/** What a server and a client of NATS need for users by JWT. */
export interface NatsUsers {
  settings: string; // of the server
  credentials: string; // the file of a user
}

/** An operator, an account and a user who may use the subjects of hints alone; as the tool `nsc` makes them. */
export function natsUsers(): NatsUsers {
  const [operator, account, user] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createUser()];
  const operatorJwt = jwt(operator, operator, { type: 'operator', version: 2 });
  const none = -1; // no limit
  const limits = {
    subs: none,
    data: none,
    payload: none,
    conn: none,
    leaf: none,
    imports: none,
    exports: none,
    wildcards: true,
  };
  const accountJwt = jwt(operator, account, { type: 'account', version: 2, limits });
  const subjects = { allow: ['fleet.hints.>'] };
  const userJwt = jwt(account, user, {
    type: 'user',
    version: 2,
    pub: subjects,
    sub: subjects,
    subs: none,
    data: none,
    payload: none,
  });
  const seed = Buffer.from(user.getSeed()).toString();
  return {
    settings: `operator: ${operatorJwt}\nresolver: MEMORY\nresolver_preload: { ${account.getPublicKey()}: ${accountJwt} }`,
    credentials: [
      ...['-----BEGIN NATS USER JWT-----', userJwt, '------END NATS USER JWT------', ''],
      ...['-----BEGIN USER NKEY SEED-----', seed, '------END USER NKEY SEED------', ''],
    ].join('\n'),
  };
}

function jwt(issuer: nkeys.KeyPair, subject: nkeys.KeyPair, nats: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: subject.getPublicKey(),
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    name: 'tests',
    sub: subject.getPublicKey(),
    nats,
  };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}
