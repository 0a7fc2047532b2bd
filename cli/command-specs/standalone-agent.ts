import { catalogOf } from '../command-line/catalog.ts';
import type { Catalog, CommandSpec } from '../command-line/command-spec.ts';
import { aboutCommands } from './about.ts';
import { agentCommands } from './agent.ts';

/** The agent without the rest of the client: `cli agent run` becomes `<program> run`. */
export function standaloneAgentCatalog(program: string): Catalog {
  const inOwnWords = (line: string) => line.replace('cli agent ', `${program} `);
  const alone = (command: CommandSpec): CommandSpec => ({
    ...command,
    program,
    path: command.path.replace('agent ', ''),
    examples: command.examples.map(inOwnWords),
  });
  const agent = agentCommands.map(alone);
  const about = aboutCommands.map((command) => ({ ...command, program, examples: [`${program} ${command.path}`] }));
  return catalogOf(
    [
      { title: 'Robot agent', commands: agent },
      { title: 'Tools', commands: about },
    ],
    {},
    {
      name: program,
      summary: 'run the agent of a robot',
      examples: agent.flatMap(({ examples }) => examples.slice(0, 1)),
    },
  );
}
