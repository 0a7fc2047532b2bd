import { defaultBaseUrl } from '../api/connection.ts';
import { answeredFieldsHelp, type View } from '../output/view.ts';
import { profileOf, savedIn } from '../api/profile.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { printLocalList } from './lists.ts';

interface Source {
  name: string;
  /** Absent if not set. */
  value: string | undefined;
  source: string;
}

const view: View<Source> = {
  columns: [
    { field: 'name', shown: 'table', whole: true },
    { field: 'value', shown: 'table', whole: true },
    { field: 'source', shown: 'table', whole: true },
  ],
  name: ({ name }) => name,
};

/** Each value that a command would use now, with its source. It checks and calls nothing: that is `cli doctor`. */
export async function listSources(call: Invocation): Promise<void> {
  if (answeredFieldsHelp(call, view)) return;
  const { environment, flags } = call;
  const profile = await profileOf(call);
  const saved = await savedIn(profile);
  const variable = (name: string, value: string | undefined, ...variables: string[]): Source => ({
    name,
    value,
    source: environment.setBy(...variables) ?? 'the default',
  });
  const flagged = (name: string, flag: string, otherwise: Source): Source => {
    const value = flags.text(flag);
    return value === undefined ? otherwise : { name, value, source: `--${flag}` };
  };
  const inFile = (name: string, value: string | undefined, otherwise: Source): Source =>
    value === undefined ? otherwise : { name, value, source: profile.file };

  const token = inFile('token', secret(saved?.token), { name: 'token', value: undefined, source: 'nowhere' });
  const set = variable('token', secret(environment.serviceToken), 'SERVICE_TOKEN');
  const flagFirst = profile.from === '--profile' && saved?.token !== undefined;
  await printLocalList(
    call,
    [
      variable('config_directory', environment.configDirectory, 'XDG_CONFIG_HOME'),
      { name: 'profile', value: profile.name, source: profile.from },
      flagged(
        'base_url',
        'base-url',
        inFile('base_url', saved?.baseUrl, { name: 'base_url', value: defaultBaseUrl, source: 'the default' }),
      ),
      environment.serviceToken === undefined || flagFirst ? token : set,
      variable('admin_token', secret(environment.adminToken), 'SERVICE_ADMIN_TOKEN'),
      variable('enrollment_key', secret(environment.enrollmentKey), 'SERVICE_ENROLLMENT_KEY'),
      colourSource(call),
      pagerSource(call),
      variable('https_proxy', withoutPassword(environment.httpsProxy), 'HTTPS_PROXY', 'https_proxy'),
      variable('http_proxy', withoutPassword(environment.httpProxy), 'HTTP_PROXY', 'http_proxy'),
      variable('no_proxy', environment.noProxy, 'NO_PROXY', 'no_proxy'),
      flagged('ca_file', 'ca-file', variable('ca_file', environment.extraCaFile, 'NODE_EXTRA_CA_CERTS')),
    ].map((row) => (row.value === undefined ? { ...row, source: 'nowhere' } : row)),
    view,
  );
}

function colourSource({ environment, flags }: Invocation): Source {
  if (!flags.on('color')) return { name: 'colour', value: 'off', source: '--no-color' };
  const source =
    environment.setBy('NO_COLOR', 'FORCE_COLOR', 'CLICOLOR_FORCE') ?? (environment.dumb ? 'TERM' : undefined);
  if (environment.colour === undefined || source === undefined)
    return { name: 'colour', value: 'on a terminal', source: 'the default' };
  return { name: 'colour', value: environment.colour ? 'on' : 'off', source };
}

function pagerSource({ environment, flags }: Invocation): Source {
  if (!flags.on('pager')) return { name: 'pager', value: 'off', source: '--no-pager' };
  const source = environment.dumb ? 'TERM' : environment.pagerFrom;
  return { name: 'pager', value: environment.pager ?? 'off', source };
}

/** Enough to distinguish tokens, useless to an onlooker. */
const secret = (token: string | undefined) =>
  token === undefined ? undefined : `…${token.length < leastSecretLength ? '' : token.slice(-4)}`;
/** For shorter tokens the last four characters would reveal too much. */
const leastSecretLength = 16;

/** A proxy URL may contain a password. */
const withoutPassword = (address: string | undefined) => address?.replace(/\/\/[^/@]*@/, '//…@');
