import { catalogOf } from '../command-line/catalog.ts';
import type { CommandGroup } from '../command-line/command-spec.ts';
import { aboutCommands } from './about.ts';
import { agentCommands } from './agent.ts';
import { adminCommands } from './admin.ts';
import { auditCommands } from './audit.ts';
import { budgetCommands } from './budgets.ts';
import { conditionCommands } from './conditions.ts';
import { configCommands } from './configs.ts';
import { demoCommands } from './demo.ts';
import { deploymentCommands } from './deployments.ts';
import { keyCommands } from './keys.ts';
import { liveCommands } from './live.ts';
import { planCommands } from './plans.ts';
import { policyCommands } from './policies.ts';
import { redactionCommands } from './redactions.ts';
import { adminQuotaCommands, quotaCommands } from './quotas.ts';
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
  {
    title: 'Sites, fleets and robots',
    commands: [...siteAndFleetCommands, ...keyCommands, ...robotCommands, ...liveCommands],
  },
  { title: 'Health', commands: conditionCommands },
  {
    title: 'Releases, deployments and configs',
    commands: [
      ...releaseCommands,
      ...deploymentCommands,
      ...planCommands,
      ...policyCommands,
      ...budgetCommands,
      ...configCommands,
    ],
  },
  { title: 'Robot agent', commands: agentCommands },
  { title: 'Log redaction', commands: redactionCommands },
  { title: 'Users, tokens and audit', commands: [...userCommands, ...tokenCommands, ...auditCommands] },
  { title: 'Organization and shell sessions', commands: [...quotaCommands, ...shellCommands] },
  { title: 'Service administration', commands: [...adminCommands, ...adminQuotaCommands] },
  { title: 'Tools', commands: [...toolCommands, ...demoCommands, ...aboutCommands] },
];

/** Description of each group of commands with a common first word; `cli robots` shows it. */
const topics: Readonly<Record<string, string>> = {
  context: 'List and select profiles, each a token and an address',
  sites: 'List and create sites, the places where robots work',
  fleets: 'List and create fleets, the robots of one site that are run as one; read their logs',
  keys: 'Manage enrollment keys, with which robots join a fleet',
  robots: 'Manage robots; show their health, logs, shells, cameras and topics',
  conditions: 'Manage the rules that decide when a robot is degraded or unhealthy',
  maintenance: 'Silence the conditions of robots for a time',
  releases: 'List and push releases',
  deployments: 'List, follow and cancel deployments of releases',
  plans: 'Show plans of deployments',
  policies: 'Manage rollout policies, with which deployments reach robots in waves',
  budgets: 'Manage disruption budgets, which limit how many robots are unavailable at the same time',
  configs: 'Set config values, and deploy them',
  redactions: 'Manage log redaction rules, which remove secrets from log records before they are stored',
  agent: 'Run, simulate and test robot agents',
  org: 'Show and change the settings of the org',
  sessions: 'List and play shell sessions',
  users: 'Manage the users of the org and their roles',
  tokens: 'Manage tokens of users and robots',
  audit: 'List and verify the audit log',
  admin: 'Administer the service; requires SERVICE_ADMIN_TOKEN',
  'admin orgs': 'Manage the orgs of the service',
  config: 'Show settings and their sources',
};

/** The whole client: a command missing here does not exist. */
export const catalog = catalogOf(groups, topics, {
  name: 'cli',
  summary: 'control a fleet of robots',
  examples: ['cli login --token svc_org_…', 'cli robots list', 'cli deploy nav-1.8.2 --fleet pickers --watch'],
  filter: async (call, expression) => (await import('../output/jq.ts')).filtered(call, expression),
  daily: [
    'ui',
    'health',
    'robots list',
    'robots inspect',
    'robots logs',
    'robots shell',
    'robots camera',
    'deploy',
    'deployments list',
    'configs set',
    'doctor',
  ],
});
