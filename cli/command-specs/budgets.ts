import type { ArgumentSpec, CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { pageFlags } from '../command-line/global-flags.ts';

const budget: ArgumentSpec = { name: 'budget', takes: 'disruption budget', description: 'ID or name of the budget' };

const selector: FlagSpec = {
  name: 'selector',
  type: 'text',
  value: 'selector',
  description: 'Only robots that match this selector, such as @fleet=pickers',
};

const limitFlags: readonly FlagSpec[] = [
  {
    name: 'by',
    type: 'text',
    value: 'key',
    multiple: true,
    description:
      'Count each site (@site), each fleet (@fleet) or each value of a label separately; "none" for all together',
  },
  {
    name: 'max-unavailable',
    type: 'text',
    value: 'n|n%',
    description: 'Maximum number or percentage of robots that may be unavailable at the same time',
  },
  {
    name: 'min-available',
    type: 'text',
    value: 'n|n%',
    description: 'Minimum number or percentage of robots that must be available, in place of --max-unavailable',
  },
];

export const budgetCommands: readonly CommandSpec[] = [
  {
    path: 'budgets list',
    summary: 'List disruption budgets',
    prints: 'list',
    flags: pageFlags,
    examples: ['cli budgets list', 'cli budgets list -o wide', 'cli budgets list --json'],
    operations: ['listDisruptionBudgets'],
    load: async () => (await import('../commands/budgets/budgets.ts')).listBudgets,
  },
  {
    path: 'budgets show',
    summary: 'Show a disruption budget',
    prints: 'details',
    arguments: [budget],
    examples: ['cli budgets show pickers', 'cli budgets show pickers -o yaml'],
    operations: ['getDisruptionBudget', 'listDisruptionBudgets'],
    load: async () => (await import('../commands/budgets/budgets.ts')).showBudget,
  },
  {
    path: 'budgets create',
    summary: 'Create a disruption budget; requires the role admin',
    description:
      'Robots that are offline, unhealthy, in maintenance or at work on any deployment are unavailable. No deployment is sent to a robot that a budget protects, and those in progress continue as robots become available.',
    prints: 'object',
    arguments: [{ name: 'name', description: 'Name of the budget' }],
    flags: [
      { ...selector, whenAbsent: 'all robots' },
      ...limitFlags.map((flag) => (flag.name === 'by' ? { ...flag, whenAbsent: 'none' } : flag)),
    ],
    examples: [
      'cli budgets create pickers --selector @fleet=pickers --by @site --max-unavailable 10%',
      'cli budgets create halls --by @site --by hall --min-available 3',
    ],
    operations: ['createDisruptionBudget'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/budgets/budgets.ts')).createBudget,
  },
  {
    path: 'budgets update',
    summary: 'Change a disruption budget; requires the role admin',
    description:
      'Flags that you omit change nothing. --by replaces all groups. A limit of one kind replaces that of the other kind.',
    prints: 'object',
    arguments: [budget],
    flags: [
      { name: 'name', type: 'text', value: 'name', description: 'New name' },
      { ...selector, mayBeEmpty: true, description: `${selector.description}; "" for all robots` },
      ...limitFlags,
    ],
    examples: ['cli budgets update pickers --max-unavailable 2', 'cli budgets update pickers --by none --selector ""'],
    operations: ['updateDisruptionBudget', 'listDisruptionBudgets'],
    changes: 'unconfirmed',
    load: async () => (await import('../commands/budgets/budgets.ts')).updateBudget,
  },
  {
    path: 'budgets delete',
    summary: 'Delete a disruption budget; requires the role admin',
    description: 'Deployments no longer wait for it.',
    prints: 'object',
    arguments: [budget],
    examples: ['cli budgets delete pickers', 'cli budgets delete pickers --fields id'],
    operations: ['deleteDisruptionBudget', 'getDisruptionBudget', 'listDisruptionBudgets'],
    changes: 'confirmed',
    load: async () => (await import('../commands/budgets/budgets.ts')).deleteBudget,
  },
];
