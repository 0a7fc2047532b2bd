import type { CommandSpec } from '../command-line/command-spec.ts';

export const toolCommands: readonly CommandSpec[] = [
  {
    path: 'ui',
    summary: 'Open the full-screen interface',
    description:
      'Shows robots, deployments, logs and more, and updates them live. It starts read-only: press W to allow changes.',
    examples: ['cli ui', 'cli ui --profile prod'],
    load: async () => (await import('../commands/ui.ts')).ui,
  },
  {
    path: 'api',
    summary: 'Call any route of the API and print the unchanged response',
    prints: 'json',
    arguments: [
      { name: 'method', description: 'GET, POST, PUT, PATCH, DELETE or HEAD' },
      { name: 'path', description: 'Path with its query, such as /api/sites?limit=5' },
    ],
    flags: [
      {
        name: 'field',
        type: 'text',
        short: 'f',
        value: 'key=value',
        multiple: true,
        description: 'Set a field of the body, or of the query for GET, HEAD and DELETE; key:=value takes JSON',
      },
      {
        name: 'input',
        type: 'text',
        value: 'file',
        takes: 'file',
        description: 'Read the body from this file; "-" is stdin',
      },
    ],
    examples: [
      'cli api GET /api/robots -f limit=5',
      'cli api POST /api/sites -f name=Osaka',
      'cli api PATCH /api/robots/0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c61 -f labels:=\'{"line":"2"}\'',
      'echo \'{"name":"Osaka"}\' | cli api POST /api/sites --input -',
    ],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/api.ts')).callApi,
  },
  {
    path: 'config sources',
    summary: 'Show each setting and its source',
    description: 'Order of precedence: flag, environment, file of the profile, default.',
    prints: 'list',
    examples: ['cli config sources', 'cli config sources --profile staging', 'cli config sources --json'],
    load: async () => (await import('../commands/sources.ts')).listSources,
  },
  {
    path: 'doctor',
    summary: 'Check the connection and sign-in to the service',
    description: 'Each check reports ok, warn or fail, and what to do. Exits with 1 if one failed.',
    prints: 'json',
    examples: ['cli doctor', 'cli doctor --base-url https://fleet.example.com', 'cli doctor --json'],
    operations: ['getWhoami'],
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
  {
    path: 'completion',
    summary: 'Print the completion script of a shell',
    arguments: [{ name: 'shell', choices: ['bash', 'zsh', 'fish', 'pwsh'], description: 'bash, zsh, fish or pwsh' }],
    examples: [
      'source <(cli completion bash)',
      'cli completion zsh > "${fpath[1]}/_cli"',
      'cli completion fish > ~/.config/fish/completions/cli.fish',
      'cli completion pwsh | Out-String | Invoke-Expression',
    ],
    load: async () => (await import('../commands/completion/completion.ts')).completion,
  },
];
