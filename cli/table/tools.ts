import type { CommandSpec, FlagSpec } from '../spec.ts';

const enrollmentKey: FlagSpec = {
  name: 'enrollment-key',
  type: 'text',
  value: 'key',
  description: 'Key to enroll with on the first run',
  whenAbsent: 'SERVICE_ENROLLMENT_KEY',
};

export const agentCommands: readonly CommandSpec[] = [
  {
    path: 'agent run',
    summary: 'Enroll this machine as a robot',
    description:
      'The first run enrolls by key and keeps the identity in ~/.config/service/agent.toml; later runs use it. The live link to the service comes with the next version.',
    flags: [
      enrollmentKey,
      {
        name: 'name',
        type: 'text',
        value: 'name',
        description: 'Name of the robot',
        whenAbsent: 'the service makes one',
      },
      {
        name: 'fresh',
        type: 'boolean',
        description: 'Enroll again; the identity so far is replaced once that succeeded',
      },
      {
        name: 'backend-url',
        type: 'text',
        value: 'url',
        description: 'Address of the service',
        whenAbsent: 'the one of agent.toml, else of login',
      },
    ],
    examples: [
      'cli agent run --enrollment-key svc_enroll_… --name amr-007',
      'SERVICE_ENROLLMENT_KEY=svc_enroll_… cli agent run',
      'cli agent run --fresh --enrollment-key svc_enroll_…',
    ],
    operations: ['enrollAgent'],
    load: async () => (await import('../commands/agent.ts')).runAgent,
  },
  {
    path: 'agent forget',
    summary: 'Forget which robot this machine is',
    description: 'Deletes ~/.config/service/agent.toml. The robot stays on the list until it is removed there.',
    examples: ['cli agent forget'],
    load: async () => (await import('../commands/agent.ts')).forgetAgent,
  },
  {
    path: 'agent simulate',
    summary: 'Play thousands of robots in one process, for trials and load tests',
    description:
      'Each is a real link with a made-up robot behind it. The same key and seed are the same robots, and use the key once for each. Ends with the totals, on Ctrl-C with 0.',
    flags: [
      {
        name: 'count',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 25_000,
        required: true,
        description: 'Robots, 1 to 25000',
      },
      { ...enrollmentKey, description: 'Key to enroll them with' },
      {
        name: 'profile',
        type: 'text',
        value: 'profile',
        description:
          'How they behave: idle, busy, flaky, or a JSON file with some of the keys of these. The address is chosen by SERVICE_PROFILE here',
        whenAbsent: 'idle',
      },
      { name: 'seed', type: 'text', value: 'text', description: 'Another seed makes other robots', whenAbsent: '1' },
      {
        name: 'heartbeat-seconds',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 3_600,
        description: 'Between two heartbeats, 1 to 3600',
        whenAbsent: 'what the profile or the service says',
      },
      {
        name: 'ramp-per-second',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 10_000,
        description: 'Robots that begin to connect each second; 100 connect at a time',
        whenAbsent: '500',
      },
      {
        name: 'duration-seconds',
        type: 'integer',
        value: 'n',
        min: 1,
        description: 'End by itself after this time',
        whenAbsent: 'on Ctrl-C',
      },
      {
        name: 'backend-url',
        type: 'text',
        value: 'url',
        description: 'Address of the service',
        whenAbsent: 'the one of login',
      },
    ],
    examples: [
      'cli agent simulate --count 25 --enrollment-key svc_enroll_…',
      'cli agent simulate --count 10000 --profile busy --seed 7 --ramp-per-second 1000',
      'cli agent simulate --count 100 --profile flaky --duration-seconds 60 --json',
    ],
    operations: ['enrollAgent'],
    load: async () => (await import('../commands/simulate.ts')).simulate,
  },
];

export const toolCommands: readonly CommandSpec[] = [
  {
    path: 'api',
    summary: 'Call any route of the API and print its reply as it came',
    arguments: [
      { name: 'method', description: 'GET, POST, PUT, PATCH, DELETE or HEAD' },
      { name: 'path', description: 'Path with its query, as in /api/sites?limit=5' },
    ],
    flags: [
      {
        name: 'field',
        type: 'text',
        short: 'f',
        value: 'key=value',
        multiple: true,
        description: 'A field of the body, or of the query with GET, HEAD and DELETE; key:=value takes JSON',
      },
      { name: 'input', type: 'text', value: 'file', description: 'Body from a file; "-" reads stdin' },
    ],
    examples: [
      'cli api GET /api/robots -f limit=5',
      'cli api POST /api/sites -f name=Osaka',
      'cli api PATCH /api/robots/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61 -f labels:=\'{"line":"2"}\'',
      'echo \'{"name":"Osaka"}\' | cli api POST /api/sites --input -',
    ],
    load: async () => (await import('../commands/api.ts')).callApi,
  },
  {
    path: 'config sources',
    summary: 'Show each setting and where it comes from',
    description:
      'A flag comes before the environment, that before the file of the profile, and that before the default.',
    prints: 'list',
    examples: ['cli config sources', 'cli config sources --profile staging', 'cli config sources --json'],
    load: async () => (await import('../commands/sources.ts')).listSources,
  },
  {
    path: 'doctor',
    summary: 'Check what stands between this machine and the service',
    description: 'Each check says ok, warn or fail and what to do. Ends with 1 if one failed.',
    examples: ['cli doctor', 'cli doctor --base-url https://fleet.example.com', 'cli doctor --json'],
    operations: ['getWhoami'],
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
  {
    path: 'completion',
    summary: 'Print the script that completes commands in a shell',
    arguments: [{ name: 'shell', choices: ['bash', 'zsh', 'fish', 'pwsh'], description: 'bash, zsh, fish or pwsh' }],
    examples: [
      'source <(cli completion bash)',
      'cli completion zsh > "${fpath[1]}/_cli"',
      'cli completion fish > ~/.config/fish/completions/cli.fish',
      'cli completion pwsh | Out-String | Invoke-Expression',
    ],
    load: async () => (await import('../commands/completion.ts')).completion,
  },
  {
    path: 'help',
    summary: 'Show help for a command',
    arguments: [{ name: 'command', variadic: true, optional: true, description: 'Words of the command' }],
    examples: ['cli help', 'cli help robots', 'cli help keys new'],
    load: async () => (await import('../commands/help.ts')).help,
  },
  {
    path: 'version',
    summary: 'Print the version of this client',
    examples: ['cli version', 'cli --version'],
    load: async () => (await import('../commands/help.ts')).version,
  },
];
