import { writeFile } from 'node:fs/promises';
import type { Product } from './product.ts';
import { svgOf } from './svg.ts';
import { RecordedTerminal } from './terminal.ts';

const [columns, rows] = [100, 26];

/** `demo.svg`: a person lists the robots, deploys a release, and looks at both in the terminal interface. */
export async function recordDemo({ home, env }: Product, folder: URL): Promise<void> {
  await using terminal = new RecordedTerminal({ columns, rows, cwd: home, env });
  await terminal.sees(/\$ $/m);
  terminal.restart();
  terminal.hold(700);

  await terminal.type('cli robots list');
  terminal.hold(300);
  terminal.press('\r');
  await terminal.sees(/demo-picker-08[^]*\$ $/m);
  terminal.hold(2_200);

  await terminal.type('cli deploy demo-nav-1.8.2 --fleet demo-forklifts --watch');
  terminal.hold(400);
  terminal.press('\r');
  await terminal.sees(/deployment (ended|is)[^]*\n\$\s*$/);
  terminal.hold(1_800);

  await terminal.type('cli ui');
  terminal.hold(300);
  terminal.press('\r');
  await terminal.sees(/Overview[^]*ENDED[^]*createD/);
  terminal.hold(2_400);
  terminal.press('2');
  await terminal.sees(/Robots[^]*demo-picker-01/);
  terminal.hold(1_600);
  terminal.press('/');
  terminal.hold(400);
  await terminal.type('forklift');
  await terminal.sees(/7\/20 robots/);
  terminal.hold(1_300);
  terminal.press('\r');
  terminal.press('3');
  await terminal.sees(/Deployments[^]*demo-nav-1.8.2/);
  terminal.hold(1_200);
  await terminal.moveTo(/failed +demo-nav-1\.8\.2/);
  terminal.hold(600);
  terminal.press('\r');
  await terminal.sees(/Deployment: [^]*\[Grid\][^]*Latest events[^]*demo-forklift/);
  const still = terminal.hold(2_800);
  terminal.press('q');
  await terminal.sees(/\$ $/m);
  terminal.hold(1_200);

  const title = 'A terminal: the list of robots, a deployment with its progress, and the terminal interface';
  const svg = svgOf({ columns, rows, title, frames: terminal.frames, still });
  await writeFile(new URL('demo.svg', folder), svg);
  const seconds = terminal.frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  console.log(`demo.svg: ${terminal.frames.length} frames, ${seconds.toFixed(1)} s, ${svg.length / 1000} kB`);
}
