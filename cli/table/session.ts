import type { CommandSpec } from '../spec.ts';

export const sessionCommands: readonly CommandSpec[] = [
  {
    path: 'login',
    summary: 'Sign in with a token and keep it',
    description:
      'The token is checked against the service before it is kept in ~/.config/service/credentials.toml, which only you can read.',
    flags: [
      {
        name: 'token',
        type: 'text',
        value: 'token',
        description: 'The token; "-" reads it from stdin',
        whenAbsent: 'SERVICE_TOKEN',
      },
    ],
    examples: [
      'cli login --token - < token.txt',
      'cli login --base-url https://fleet.example.com --token svc_user_…',
      'SERVICE_TOKEN=svc_user_… cli login',
    ],
    operations: ['getWhoami'],
    load: async () => (await import('../commands/session.ts')).login,
  },
  {
    path: 'logout',
    summary: 'Forget the token on this machine',
    description:
      'Deletes ~/.config/service/credentials.toml. The token stays valid on the server until it is revoked there.',
    examples: ['cli logout'],
    load: async () => (await import('../commands/session.ts')).logout,
  },
  {
    path: 'whoami',
    summary: 'Show who you are to the service',
    prints: 'object',
    examples: ['cli whoami', 'cli whoami --fields org_name,role', 'SERVICE_TOKEN=svc_user_… cli whoami'],
    operations: ['getWhoami'],
    load: async () => (await import('../commands/session.ts')).whoami,
  },
];
