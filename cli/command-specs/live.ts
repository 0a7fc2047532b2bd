import type { CommandSpec } from '../command-line/command-spec.ts';
import type { FlagSpec } from '../command-line/flag-spec.ts';
import { cameraCommand } from './camera.ts';
import { logFlags } from '../command-line/global-flags.ts';
import { robot } from './robots.ts';
import { fleet } from './sites-and-fleets.ts';
import { byFleet, bySite } from './list-flags.ts';

const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;

/** For a list that is read backwards in time: the latest records are read first and printed last. */
const recordFlags: readonly FlagSpec[] = [
  {
    name: 'tail',
    type: 'integer',
    value: 'n',
    max: 10_000,
    description:
      'Print at most this many of the latest records, 0 to 10000; with --follow, start with this many stored ones',
    whenAbsent: '200; 10 per robot when several are followed',
  },
  {
    name: 'level',
    type: 'text',
    value: 'level',
    choices: levels,
    description: 'Print only records of this level and above',
  },
  {
    name: 'source',
    type: 'text',
    value: 'source',
    description:
      'Print only records of exactly this source, such as journal; list sources with: cli logs --stats --by source',
  },
  {
    name: 'grep',
    type: 'text',
    value: 'text',
    description: 'Print only records whose message contains this text, ignoring case',
  },
  {
    name: 'since',
    type: 'text',
    value: 'when',
    description:
      'Print only records that the service received since then: a time span before now such as 15m or 1h30m, a local time such as 02:13 or "2026-11-21 09:00", or an RFC 3339 time',
  },
  {
    name: 'until',
    type: 'text',
    value: 'when',
    description: 'Print only records that the service received before then, in the format of --since',
  },
  {
    name: 'cursor',
    type: 'text',
    value: 'cursor',
    description: 'Continue after a response: its next_cursor',
    whenAbsent: 'the latest records',
  },
];

const follow: FlagSpec = {
  name: 'follow',
  short: 'f',
  type: 'boolean',
  description: 'Continue with live records until Ctrl-C',
};

const times =
  'Times are those of the robot’s clock. The order, --since and --until use the time when the service received a record.';
const followedTimes = 'With --follow, times are local, with the date unless it is today';
const followedMembers =
  'members are checked every 10 s. A robot that joins is shown from its first record\nthere, and one that leaves for up to 10 s longer. Stored records of the first members may be from before they joined.';

const shell: CommandSpec = {
  path: 'robots shell',
  summary: 'Open a shell on a robot, or run one command there',
  description:
    'Exits with the exit code of the shell or command, 128 or more for a signal, and 255 if the connection is lost for good. A lost connection is retried for a\nminute; no input or output is lost. After a newline, ~. ends the shell and ~? lists the other escapes.',
  arguments: [robot],
  afterDashes: { name: 'command', description: 'Program and arguments, run without a shell and a terminal' },
  flags: [
    {
      name: 'tty',
      short: 't',
      type: 'boolean',
      description: 'Allocate a terminal on the robot, or with --no-tty none',
      whenAbsent: 'a terminal for a shell, if this side has one; none for a command',
    },
  ],
  examples: [
    'cli robots shell amr-007',
    'cli robots shell amr-007 -- uname -a',
    'cli robots shell amr-007 -t -- htop',
    "cli robots shell amr-007 -- sh -c 'cat /var/log/nav*.log' > nav.log",
    'tar c . | cli robots shell amr-007 -- tar x -C /tmp',
  ],
  operations: ['getRobot', 'listRobots'],
  load: async () => (await import('../commands/robots/robots-shell.ts')).robotShell,
};

const topics: CommandSpec = {
  path: 'robots topics',
  summary: 'List the ROS topics of a robot, or print messages of one',
  description:
    'echo prints messages on arrival until Ctrl-C: like ros2 topic echo on a terminal, else one JSON record per line. Large arrays are cut to 128 elements, bytes\nto their number. --fields selects parts of a message, such as pose.position,ranges[0]. Missed messages are reported on stderr.',
  arguments: [
    robot,
    { name: 'action', description: 'list or echo', choices: ['list', 'echo'] },
    { name: 'topic', optional: true, description: 'Name of the topic, for echo' },
  ],
  prints: 'list',
  flags: [
    {
      name: 'hz',
      type: 'text',
      value: 'n',
      description: 'Print at most this many messages per second, 0.1 to 1000',
      whenAbsent: 'all messages',
    },
    { name: 'once', type: 'boolean', description: 'Exit with 0 after the first message' },
    {
      name: 'source',
      type: 'text',
      value: 'url',
      description: 'ROS graph, as shown by list, if the robot has several',
      whenAbsent: 'the graph that has the topic',
    },
    {
      name: 'timeout',
      type: 'text',
      value: 'span',
      description: 'Exit with 8 after this time, such as 90s or 1h30m',
      whenAbsent: 'never',
    },
  ],
  examples: [
    'cli robots topics amr-007 list',
    'cli robots topics amr-007 echo /odom',
    'cli robots topics amr-007 echo /imu --hz 2 --fields orientation,linear_acceleration.z',
    'cli robots topics amr-007 echo /battery_state --once --timeout 10s --json',
  ],
  operations: ['listRobotTopics', 'listRobots'],
  load: async () => (await import('../commands/robots/robots-topics.ts')).robotTopics,
};

/** Health, logs and timeline of robots, and their live streams. */
export const liveCommands: readonly CommandSpec[] = [
  {
    path: 'robots inspect',
    summary: 'Show a robot and its latest health',
    prints: 'details',
    arguments: [robot],
    examples: [
      'cli robots inspect amr-007',
      'cli robots inspect amr-007 --json',
      'cli robots inspect amr-007 --fields cpu,memory -o json',
    ],
    operations: ['getRobotHealth', 'getRobot', 'listRobots'],
    load: async () => (await import('../commands/inspect.ts')).inspectRobot,
  },
  {
    path: 'robots logs',
    summary: 'Print the latest log records of a robot, oldest first',
    description: `${times}\n${followedTimes}.`,
    prints: 'list',
    arguments: [{ ...robot, variadic: true }],
    flags: [
      ...recordFlags,
      {
        name: 'after',
        type: 'integer',
        value: 'seq',
        description: 'Print only records after this number, the next ones first',
        whenAbsent: 'the latest records',
      },
      follow,
    ],
    examples: [
      'cli robots logs amr-007',
      'cli robots logs amr-007 --follow',
      'cli robots logs amr-007 --level warn --since 15m',
      'cli robots logs amr-007 amr-008 --follow --tail 0',
      'cli robots logs amr-007 --source journal --grep battery --tail 50',
      'cli robots logs amr-007 --since 2026-11-21T08:00:00Z --until 2026-11-21T09:00:00Z -o jsonl',
    ],
    operations: ['listRobotLogs', 'listLogs', 'listRobots'],
    load: async () => (await import('../commands/logs/logs.ts')).robotLogs,
  },
  shell,
  cameraCommand,
  topics,
  {
    path: 'robots timeline',
    summary: 'List the timeline of a robot, oldest first',
    prints: 'list',
    arguments: [robot],
    flags: [
      ...logFlags,
      {
        name: 'kind',
        type: 'text',
        value: 'kind',
        description: 'List only entries of this kind, such as connected or renamed',
      },
    ],
    examples: [
      'cli robots timeline amr-007',
      'cli robots timeline amr-007 --kind disconnected --limit 20',
      'cli robots timeline amr-007 --watch',
    ],
    operations: ['listRobotTimeline', 'listRobots'],
    load: async () => (await import('../commands/timeline.ts')).listTimeline,
  },
  {
    path: 'fleets logs',
    summary: 'Print the latest log records of the robots of a fleet, oldest first',
    description: `${times}\n${followedTimes}; ${followedMembers}`,
    prints: 'list',
    arguments: [fleet],
    flags: [...recordFlags, follow],
    examples: [
      'cli fleets logs pickers',
      'cli fleets logs pickers --level error --since 1h',
      'cli fleets logs pickers --grep "e-stop" -o jsonl',
      'cli fleets logs pickers --follow --level warn',
    ],
    operations: ['listFleetLogs', 'listLogs', 'listFleets', 'listRobots'],
    load: async () => (await import('../commands/logs/logs.ts')).fleetLogs,
  },
  {
    path: 'logs',
    summary: 'Search the logs of the org, or of a fleet, site or robot',
    description: `Prints the latest matching records, oldest first; with --order, records as they are found. A record belongs to the fleet that its robot was in when it\nsent the record. The search continues until --tail records are found or no log is left; Ctrl-C prints what was found.\n${times}\n${followedTimes}; ${followedMembers}`,
    prints: 'list',
    flags: [
      { ...byFleet, description: 'Print only records from members of this fleet' },
      { ...bySite, description: 'Print only records from members of the fleets of this site' },
      {
        name: 'robot',
        type: 'text',
        value: 'id|name',
        takes: 'robot',
        description: 'Print only records of this robot',
      },
      ...recordFlags,
      {
        name: 'order',
        type: 'text',
        value: 'order',
        choices: ['asc', 'desc'],
        description:
          'Print records as they are found: from --since or the oldest on (asc), or from the newest back (desc)',
        whenAbsent: 'the latest records, oldest first',
      },
      { ...follow, description: 'Continue with live records of the robot, fleet or site until Ctrl-C' },
      {
        name: 'stats',
        type: 'boolean',
        description:
          'Print how many records there are over time, of the last 24 h unless --since is given; -o wide adds the peaks',
      },
      {
        name: 'by',
        type: 'text',
        value: 'what',
        choices: ['none', 'robot', 'source'],
        description: 'With --stats, print a row for each robot or source, at most 50',
        whenAbsent: 'one row for all',
      },
      {
        name: 'step',
        type: 'text',
        value: 'step',
        choices: ['10m', '1h', '1d'],
        description: 'With --stats, count in intervals of this length, in UTC',
        whenAbsent: 'the shortest with at most 200 intervals',
      },
    ],
    examples: [
      'cli logs --grep "e-stop"',
      'cli logs --fleet pickers --level error --since 1h',
      'cli logs --site Osaka --grep battery --since 7d -o jsonl',
      'cli logs --fleet pickers --since 2026-11-21T08:00:00Z --order asc --tail 1000',
      'cli logs --site Osaka --level warn --follow',
      'cli logs --stats --by robot --fleet pickers',
      'cli logs --stats --by source --robot amr-007 --since 7d',
    ],
    operations: ['listLogs', 'getLogStats', 'listFleets', 'listSites', 'listRobots'],
    load: async () => (await import('../commands/logs/logs-search.ts')).searchLogs,
  },
];
