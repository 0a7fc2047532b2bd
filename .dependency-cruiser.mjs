/**
 * Who may import whom in src/ and cli/: an import that no line here allows is refused. That goes for another layer, for a file in a folder that
 * is not named here, and for a package that `npm ci --omit=dev` leaves out. Cycles are refused too, those of types alone included.
 *
 * A place that ends with `/` is a folder with all that is below it; `*` stands for one name.
 */
const pattern = (place) => `^${place.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}${place.endsWith('/') ? '' : '$'}`;
/** `but`: files below `from` of which the rule does not speak, and files below `to` that it does not allow. */
const allow = (from, to, but = {}) => ({
  from: { path: pattern(from), ...(but.from && { pathNot: but.from.map(pattern) }) },
  to: { path: to.map(pattern), ...(but.to && { pathNot: but.to.map(pattern) }) },
});

const generated = (name) => `generated/${name}.*`;
/** Types of the contract, for those who speak HTTP; others speak the types of their models. */
const contractTypes = 'generated/api.d.ts';
/** Frames and tables of the protocol, for those who speak it. */
const protocol = ['protocol', 'frames', 'shell', 'media'].map(generated);

const kernel = 'src/kernel/';
const instruments = 'src/platform/*.ts';
const db = 'src/platform/db/';
const bus = 'src/platform/bus/';
const http = 'src/platform/http/';
const ws = 'src/platform/ws/';
const cluster = 'src/platform/cluster/';
const s3 = 'src/platform/s3/';

/** From the lowest up. It knows no resource and no setting. */
function platform() {
  const root = `${http}*.ts`;
  const [reply, request, access, dispatch, listener] = ['reply', 'request', 'access', 'dispatch', 'listener'].map(
    (part) => `${http}${part}/`,
  );
  return [
    allow(kernel, [kernel]),
    allow(instruments, [instruments, kernel]),
    allow(db, [db, kernel, instruments, generated('protocol')]),
    allow(bus, [bus, db, kernel, instruments]),
    allow(s3, [s3, kernel]),
    allow(root, [root, kernel]),
    allow(reply, [reply, db, kernel]),
    allow(request, [request, reply, kernel]),
    allow(access, [access, request, reply, kernel]),
    allow(dispatch, [dispatch, access, request, reply, root, bus, db, kernel, contractTypes, generated('policies')]),
    allow(listener, [listener, dispatch, request, reply, root, kernel, instruments]),
    allow(ws, [ws, http, kernel, instruments]),
    allow(cluster, [cluster, ws, kernel, instruments]),
  ];
}

const resources = [
  ...[
    'orgs',
    'quotas',
    'users',
    'people',
    'tokens',
    'sites',
    'fleets',
    'robots',
    'enrollment',
    'releases',
    'artifacts',
    'configs',
    'conditions',
    'rollout-policies',
    'disruption-budgets',
    'status',
    'erasure',
  ],
  ...[
    'timeline',
    'audit',
    'logs',
    'log-redactions',
    'log-stats',
    'robot-metrics',
    'agent-links',
    'deployments/api',
    'deployments/controls',
  ],
  ...['deployments/engine'],
  ...['live/dial-back', 'live/media', 'live/logs', 'live/recordings', 'live/tickets', 'live/viewers'],
].map((name) => `src/${name}/`);
/** Those who speak the protocol with robots or viewers. */
const speakers = [
  'agent-links',
  'logs',
  'robot-metrics',
  ...['dial-back', 'media', 'logs', 'recordings', 'viewers'].map((name) => `live/${name}`),
];

const tablesOf = (folder) => {
  if (speakers.some((name) => folder === `src/${name}/`)) return protocol;
  // Its model holds the moves of the protocol.
  return folder === 'src/deployments/engine/' ? [generated('protocol')] : [];
};

/** handlers → service → store → model → kernel, and from one resource to another by its service.ts only. Handlers alone know HTTP. */
const withinAResource = (folder) => {
  const [model, store, service, handlers] = ['model', 'store', 'service', 'handlers'].map(
    (name) => `${folder}${name}.ts`,
  );
  const services = resources.map((other) => `${other}service.ts`);
  const tables = tablesOf(folder);
  const ground = [kernel, instruments, db, bus, s3, ...tables];
  return [
    allow(model, [folder], { to: [store, service, handlers] }),
    allow(model, [kernel, ...tables]),
    allow(store, [folder], { to: [service, handlers] }),
    allow(store, ground),
    allow(service, [folder], { to: [handlers] }),
    allow(service, [...ground, cluster, ws, 'src/config.ts', ...services]),
    allow(handlers, [folder, ...ground, cluster, ws, http, 'src/config.ts', contractTypes, ...services]),
    allow(folder, [folder, ...ground, cluster, ws, 'src/config.ts', ...services], {
      from: [model, store, service, handlers],
      to: [handlers],
    }),
  ];
};

/** Parts of one thing: what callers see and control of the engine, and what is read of logs while it comes. And types of the listener, for sockets. */
const halves = [
  allow('src/deployments/api/', ['src/deployments/engine/']),
  allow('src/deployments/controls/', ['src/deployments/engine/', 'src/deployments/api/'], {
    to: ['src/deployments/api/handlers.ts'],
  }),
  allow('src/live/logs/', ['src/logs/']),
  allow('src/agent-links/sockets.ts', [`${http}listener/server.ts`]),
];

/** Pages for people, and the commands beside the service. */
const besideTheApi = [
  allow('src/docs-site/', ['src/docs-site/', http, kernel, generated('samples'), generated('schemas')]),
  allow('src/portal/', [
    ...['src/portal/', 'src/docs-site/', 'src/people/', ...resources.map((folder) => `${folder}service.ts`)],
    ...[kernel, instruments, db, bus, http, ws, generated('wait-texts')],
  ]),
  allow('src/host-command/', [
    ...['src/host-command/', 'src/config.ts', 'src/main.ts', generated('release')],
    ...['artifacts', 'audit', 'erasure', 'logs'].map((name) => `src/${name}/service.ts`),
    ...[db, s3, kernel, instruments],
  ]),
];

/** What puts the parts together. Nothing but these imports them, `config.ts` aside; only the command of the host imports main.ts. */
const composition = [allow('src/*.ts', ['src/', 'generated/'], { to: ['src/main.ts', contractTypes] })];

const client = [
  allow('cli/files/', ['cli/files/']),
  allow('cli/transport/', ['cli/transport/', ...protocol], { from: ['cli/transport/shell/'] }),
  allow('cli/transport/shell/', ['cli/transport/shell/', 'cli/transport/backoff.ts', ...protocol]),
  // Windows mean the same to the service and to the agent.
  allow('cli/agent/gates/', ['src/kernel/calendar/']),
  allow('cli/agent/', ['cli/agent/', 'cli/transport/', 'cli/files/', ...protocol]),
  // It runs in browsers: of the transport only what knows no Node.
  allow('cli/client/', [
    'cli/client/',
    'cli/transport/backoff.ts',
    'cli/transport/retry.ts',
    'cli/transport/shell/',
    contractTypes,
    generated('release'),
    ...protocol,
  ]),
  allow('cli/command-line/', ['cli/command-line/']),
  allow('cli/command-line/command-spec.ts', [contractTypes]),
  allow('cli/api/', ['cli/api/', 'cli/command-line/', 'cli/files/', 'cli/transport/', contractTypes]),
  allow('cli/output/', [
    ...['cli/output/', 'cli/api/', 'cli/command-line/', 'cli/files/'],
    ...['protocol', 'wait-texts'].map(generated),
  ]),
  allow('cli/live/', [
    ...['cli/live/', 'cli/client/', 'cli/output/', 'cli/api/', 'cli/command-line/', 'cli/transport/'],
    ...['cli/files/own-file.ts', ...protocol],
  ]),
  allow('cli/conformance/', ['cli/conformance/', 'cli/output/', ...protocol]),
  // The interface draws what it is given; its data alone, and what starts it, ask the service.
  allow('cli/ui/data/', [
    ...['cli/ui/data/', 'cli/live/', 'cli/client/', 'cli/output/', 'cli/api/'],
    ...['cli/command-line/', 'cli/files/', 'cli/transport/', ...protocol],
  ]),
  allow('cli/ui/', ['cli/ui/', 'cli/live/', 'cli/output/', 'cli/command-line/', 'cli/files/'], {
    from: ['cli/ui/data/'],
  }),
  allow('cli/ui/main.ts', ['cli/api/']),
  allow('cli/commands/', [
    ...['cli/commands/', 'cli/live/', 'cli/client/', 'cli/output/', 'cli/api/', 'cli/command-line/', 'cli/files/'],
    ...['cli/transport/', 'cli/agent/', 'cli/conformance/', 'cli/ui/main.ts'],
  ]),
  // The table has the filter of --jq and the statuses of the contract.
  allow('cli/command-specs/', [
    ...['cli/command-specs/', 'cli/commands/', 'cli/command-line/', 'cli/output/jq.ts'],
    generated('protocol'),
  ]),
  allow('cli/executable/', ['cli/executable/']),
  allow('cli/bin/', [
    'cli/bin/',
    'cli/command-specs/',
    'cli/commands/',
    'cli/output/',
    'cli/command-line/',
    'package.json',
  ]),
];

const allowed = [
  ...platform(),
  ...resources.flatMap(withinAResource),
  ...halves,
  ...besideTheApi,
  ...composition,
  ...client,
  { from: {}, to: { dependencyTypes: ['core', 'npm', 'npm-optional'] } },
  // Types of a package are gone once the product is built.
  { from: {}, to: { path: '(^|/)node_modules/', dependencyTypes: ['type-only'] } },
];

const layers = allowed.flatMap(({ from }) => from.path ?? []);

export default {
  allowed,
  allowedSeverity: 'error',
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    // A file in a folder that is not named above: one that imports something, one that something imports, one that stands alone.
    { name: 'in-a-layer', severity: 'error', from: { pathNot: layers }, to: {} },
    { name: 'in-a-layer', severity: 'error', from: {}, to: { path: '^(src|cli)/', pathNot: layers } },
    { name: 'in-a-layer', severity: 'error', from: { orphan: true, pathNot: layers }, to: {} },
    {
      name: 'runs-in-browsers',
      comment: 'The client that others import, and the shell that it resumes, know no Node.',
      severity: 'error',
      from: { path: '^cli/(client/|transport/shell/)' },
      to: { path: '(^|node_modules/)ws(/|$)' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: '(^|/)(node_modules|generated)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
