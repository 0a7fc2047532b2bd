import type { CommandSpec } from '../command-line/command-spec.ts';
import { enrollmentKey } from '../command-line/global-flags.ts';

/** Tests of fleets and agents, without a robot. */
export const agentTestCommands: readonly CommandSpec[] = [
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
    load: async () => (await import('../commands/agent/simulate.ts')).simulate,
  },
  {
    path: 'agent conformance',
    summary: 'Take an agent of another maker through the promises of the protocol',
    description:
      'Starts the command anew for each check, against a small service of its own on this machine that now and then misbehaves on purpose; no other service is needed. In the command {url}, {key}, {folder} and {log} stand for the address, an enrollment key, a folder that is empty at first and is kept over restarts, and a file to which log lines are written; the environment has them as SERVICE_URL, SERVICE_ENROLLMENT_KEY, CONFORMANCE_FOLDER (which is HOME too) and CONFORMANCE_LOG. Log lines come on the standard input as well. Ends with 0 where no check failed, with 1 where one did, with 2 where the line is wrong. What the agent does not claim is skipped.',
    flags: [
      {
        name: 'command',
        type: 'text',
        value: 'line',
        description: 'Line of the shell that runs the agent; it must not leave its process group',
        whenAbsent: 'needed, but with --list',
      },
      {
        name: 'only',
        type: 'text',
        value: 'check',
        multiple: true,
        description: 'Make this check alone, or these',
        whenAbsent: 'all of them',
      },
      {
        name: 'skip',
        type: 'text',
        value: 'check',
        multiple: true,
        description: 'Leave this check out, or these',
        whenAbsent: 'none',
      },
      { name: 'list', type: 'boolean', description: 'Print the checks and end' },
      {
        name: 'junit',
        type: 'text',
        value: 'file',
        description: 'Write the outcomes there too, as the XML of JUnit that build servers read',
        whenAbsent: 'not written',
      },
      {
        name: 'timeout',
        type: 'integer',
        value: 'seconds',
        min: 1,
        max: 600,
        description: 'How long the agent may take for a thing, 1 to 600 s',
        whenAbsent: '15',
      },
      {
        name: 'jobs',
        type: 'integer',
        value: 'n',
        min: 1,
        max: 8,
        description: 'Agents that run at a time, 1 to 8',
        whenAbsent: '4',
      },
    ],
    examples: [
      "cli agent conformance --command 'python3 agent.py {url} {folder}/identity.json'",
      "cli agent conformance --command 'cli agent run --backend-url {url} --allow-shell --log-file {log}'",
      "cli agent conformance --only shell --only cancel --command './my-agent' --json",
      "cli agent conformance --skip dead-link --skip replaced --command './my-agent' --junit report.xml",
      'cli agent conformance --list',
    ],
    load: async () => (await import('../commands/agent/conformance.ts')).conformance,
  },
];
