import { catalogOf } from '../command-line/catalog.ts';
import type { CommandGroup } from '../command-line/command-spec.ts';
import { aboutCommands } from './about.ts';
import { agentCommands } from './agent.ts';
import { adminCommands } from './admin.ts';
import { auditCommands } from './audit.ts';
import { configCommands } from './configs.ts';
import { demoCommands } from './demo.ts';
import { deploymentCommands } from './deployments.ts';
import { keyCommands } from './keys.ts';
import { liveCommands } from './live.ts';
import { releaseCommands } from './releases.ts';
import { robotCommands } from './robots.ts';
import { sessionCommands } from './login.ts';
import { shellCommands } from './org-and-shell-sessions.ts';
import { siteAndFleetCommands } from './sites-and-fleets.ts';
import { tokenCommands } from './tokens.ts';
import { toolCommands } from './tools.ts';
import { userCommands } from './users.ts';

/** Every command, in the order of help. */
const groups: readonly CommandGroup[] = [
  { title: 'Sign in', commands: sessionCommands },
  { title: 'Sites, fleets, robots', commands: [...siteAndFleetCommands, ...keyCommands, ...robotCommands] },
  { title: 'Releases, deployments, configs', commands: [...releaseCommands, ...deploymentCommands, ...configCommands] },
  { title: 'Health, logs, timeline, shell, camera', commands: liveCommands },
  { title: 'Robot agent', commands: agentCommands },
  { title: 'Users, tokens, audit', commands: [...userCommands, ...tokenCommands, ...auditCommands] },
  { title: 'The org, and its shells', commands: shellCommands },
  { title: 'Administration of the service', commands: adminCommands },
  { title: 'Tools', commands: [...toolCommands, ...demoCommands, ...aboutCommands] },
];

/** Description of each group of commands with a common first word; `cli robots` shows it. */
const topics: Readonly<Record<string, string>> = {
  context: 'Profiles: a token with its address, each under a name',
  sites: 'Places where robots work',
  fleets: 'Robots of one site that are run as one',
  keys: 'Enrollment keys, by which robots join a fleet',
  robots: 'The robots of the org',
  releases: 'What can be deployed',
  deployments: 'Releases sent to robots and fleets',
  configs: 'Values by key, and their deployments',
  agent: 'The program on a robot',
  org: 'The org and its settings',
  sessions: 'Who had a shell on which robot, and what it showed',
  users: 'The people of the org',
  tokens: 'Tokens of people and robots',
  audit: 'Who changed what',
  admin: 'The service itself; takes SERVICE_ADMIN_TOKEN',
  'admin orgs': 'The orgs of the service',
  config: 'What is set, and where it comes from',
};

/** The whole client: a command missing here does not exist. */
export const catalog = catalogOf(groups, topics, {
  name: 'cli',
  summary: 'control a fleet of robots',
  examples: ['cli login --token svc_org_…', 'cli robots list', 'cli deploy nav-1.8.2 --fleet pickers --watch'],
});
