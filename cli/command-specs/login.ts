import type { CommandSpec } from '../command-line/command-spec.ts';

export const sessionCommands: readonly CommandSpec[] = [
  {
    path: 'login',
    summary: 'Sign in with the browser or a token',
    description:
      'Opens the sign-in page in the browser and waits for your confirmation there. Over SSH, paste the code that the page shows. The token is checked against the service and stored in ~/.config/service/credentials.toml, or with --profile in a file beside it. Only you can read the file.',
    prints: 'json',
    flags: [
      {
        name: 'token',
        type: 'text',
        value: 'token',
        description: 'Use this token instead of the browser; "-" reads it from stdin',
        whenAbsent: 'SERVICE_TOKEN',
      },
      {
        name: 'portal-url',
        type: 'text',
        value: 'url',
        description: 'Address of the sign-in page',
        whenAbsent: 'the base URL',
      },
      {
        name: 'browser',
        type: 'boolean',
        on: true,
        description: 'Print the address of the sign-in page instead of opening it, and accept a pasted code',
      },
      {
        name: 'org',
        type: 'text',
        value: 'org',
        description: 'Sign in to this org, by ID or name; a given token must be valid in it',
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
    summary: 'Delete the token from this machine',
    description:
      'Deletes ~/.config/service/credentials.toml, or the file of the profile. The token stays valid on the server until it is revoked there.',
    prints: 'json',
    examples: ['cli logout', 'cli logout --profile staging'],
    load: async () => (await import('../commands/login.ts')).logout,
  },
  {
    path: 'whoami',
    summary: 'Show your user, org and role',
    prints: 'details',
    examples: ['cli whoami', 'cli whoami --fields org_name,role', 'SERVICE_TOKEN=svc_user_… cli whoami'],
    operations: ['getWhoami'],
    load: async () => (await import('../commands/whoami.ts')).whoami,
  },
  {
    path: 'context list',
    summary: 'List the profiles of this machine',
    description: 'A profile is a token and an address. "default" is the profile of cli login without --profile.',
    prints: 'list',
    examples: ['cli context list', 'cli context list --json'],
    load: async () => (await import('../commands/context.ts')).listContexts,
  },
  {
    path: 'context use',
    summary: 'Select the profile for later commands',
    description: 'SERVICE_PROFILE and --profile take precedence.',
    prints: 'json',
    arguments: [
      {
        name: 'profile',
        takes: 'profile',
        description: 'Name of the profile; "default" is the profile of cli login without --profile',
      },
    ],
    examples: ['cli context use staging', 'cli context use default'],
    load: async () => (await import('../commands/context.ts')).useContext,
  },
];
