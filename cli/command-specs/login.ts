import type { CommandSpec } from '../command-line/command-spec.ts';

export const sessionCommands: readonly CommandSpec[] = [
  {
    path: 'login',
    summary: 'Sign in by browser, or with a token, and keep it',
    description:
      'Opens the sign-in page in the browser and waits until you said yes there. Over SSH, paste the code that the page shows. The token is checked against the service before it is kept in ~/.config/service/credentials.toml, or with --profile in a file beside it. Only you can read it.',
    flags: [
      {
        name: 'token',
        type: 'text',
        value: 'token',
        description: 'This token in place of the sign-in by browser; "-" reads it from stdin',
        whenAbsent: 'SERVICE_TOKEN',
      },
      {
        name: 'portal-url',
        type: 'text',
        value: 'url',
        description: 'Address of the sign-in by browser',
        whenAbsent: 'the base URL',
      },
      {
        name: 'browser',
        type: 'boolean',
        on: true,
        description: 'Print the address of the sign-in instead of opening it; a code can be pasted',
      },
      {
        name: 'org',
        type: 'text',
        value: 'org',
        description: 'Sign in to this one of your orgs, by id or name; a token that is given must be good in it',
        whenAbsent: 'asked in the browser',
      },
    ],
    examples: [
      'cli login',
      'cli login --base-url https://fleet.example.com',
      'cli login --no-browser',
      'cli login --token - < token.txt',
      'cli login --profile staging --base-url https://staging.example.com --token -',
    ],
    operations: ['getWhoami'],
    load: async () => (await import('../commands/login.ts')).login,
  },
  {
    path: 'logout',
    summary: 'Forget the token on this machine',
    description:
      'Deletes ~/.config/service/credentials.toml, or the file of the profile. The token stays valid on the server until it is revoked there.',
    examples: ['cli logout', 'cli logout --profile staging'],
    load: async () => (await import('../commands/login.ts')).logout,
  },
  {
    path: 'whoami',
    summary: 'Show who you are to the service',
    prints: 'object',
    examples: ['cli whoami', 'cli whoami --fields org_name,role', 'SERVICE_TOKEN=svc_user_… cli whoami'],
    operations: ['getWhoami'],
    load: async () => (await import('../commands/whoami.ts')).whoami,
  },
  {
    path: 'context list',
    summary: 'List the profiles of this machine',
    description: 'Each is a token with its address: "default" is that of login without --profile.',
    prints: 'list',
    examples: ['cli context list', 'cli context list --json'],
    load: async () => (await import('../commands/context.ts')).listContexts,
  },
  {
    path: 'context use',
    summary: 'Use a profile for the commands that follow',
    description: 'SERVICE_PROFILE and --profile come before it.',
    arguments: [{ name: 'profile', description: 'Name of the profile; "default" for that of login without --profile' }],
    examples: ['cli context use staging', 'cli context use default'],
    load: async () => (await import('../commands/context.ts')).useContext,
  },
];
