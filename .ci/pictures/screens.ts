import { writeFile } from 'node:fs/promises';
import { pngOf, startChromium } from './chromium.ts';
import type { Product } from './product.ts';
import { svgOf } from './svg.ts';
import { RecordedTerminal } from './terminal.ts';

const [columns, rows] = [112, 28];
const enter = '\r';
/** Until health, deployments and logs of the demo have filled the screens, milliseconds. */
const untilFilledMs = 20_000;
const until = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** `ui-*.png`: screens of the terminal interface. */
export async function drawScreens({ home, env }: Product, folder: URL): Promise<void> {
  await using browser = await startChromium();
  await using terminal = new RecordedTerminal({ columns, rows, cwd: home, env });
  const draw = async (name: string) => {
    const svg = svgOf({ columns, rows, title: name, frames: [{ screen: terminal.screen(), ms: 1 }] });
    const png = await pngOf(browser, svg);
    await writeFile(new URL(`${name}.png`, folder), png);
    console.log(`${name}.png: ${Math.round(png.length / 1000)} kB`);
  };
  await terminal.sees(/\$ $/m);
  await until(untilFilledMs);
  await terminal.type(`cli ui${enter}`);
  await terminal.sees(/Overview[^]*ENDED[^]*createD/);
  await draw('ui-overview');

  terminal.press('2');
  await terminal.sees(/Robots[^]*demo-picker-08/);
  await terminal.type('/picker');
  await terminal.sees(/8\/20 robots[^]*filter: picker/);
  terminal.press(enter);
  await terminal.type('j j ');
  await terminal.sees(/✓ 2/);
  await draw('ui-robots');

  // Of the robots that are marked.
  terminal.press('8');
  await terminal.sees(/2 of 2 robots +[2-9]\d lines/);
  await draw('ui-logs');

  terminal.press('3');
  await terminal.sees(/Deployments[^]*demo-nav-1\.8\.2/);
  await terminal.moveTo(/in progress +demo-nav-1\.8\.2/);
  terminal.press(enter);
  await terminal.sees(/\[Grid\][^]*Latest events[^]*applied/);
  await draw('ui-deployment');

  terminal.press('4');
  await terminal.sees(/Releases[^]*demo-nav-1\.9\.0-rc\.1/);
  await terminal.moveTo(/demo-nav-1\.9\.0-rc\.1/);
  terminal.press('W');
  await terminal.sees(/ WRITE /);
  terminal.press('d');
  await terminal.sees(/▸ Release/);
  terminal.press(enter);
  await terminal.sees(/▸ Target/);
  terminal.press(enter);
  await terminal.sees(/▸ When/);
  terminal.press(enter);
  await terminal.sees(/Type demo-pickers and press enter/);
  await terminal.type('demo-pick');
  await draw('ui-plan');
  // A program that is left in a closed terminal may stay behind, stopped.
  terminal.press('\u0003');
  await terminal.sees(/\$ $/m);
}
