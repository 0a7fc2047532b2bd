import { openBrowser } from './browser.ts';
import { startLaserScanner } from './laser-scanner.ts';
import { setStage } from './stage.ts';
import { sleep } from './terminal.ts';
import { shootTerminal } from './ui.ts';

/** A camera and a ROS topic of a robot, in a terminal. */
export async function pictureRobot(): Promise<void> {
  await using stage = await setStage();
  await using scanner = await startLaserScanner();
  const browser = await openBrowser();
  try {
    await stage.run('cli sites create Osaka > /dev/null', 'cli fleets create pickers --site Osaka > /dev/null');
    const options = `--name amr-007 --camera front=test: --ros ${scanner.url}`;
    const key = '$(cli keys new --site Osaka --fleet pickers 2> /dev/null)';
    await stage.keep(`cli agent run ${options} --enrollment-key "${key}"`, 'Connected');

    const camera = await stage.terminal({ columns: 80, rows: 28 });
    await camera.type('cli robots camera amr-007\r');
    await camera.sees(/front · \d.* fps/);
    await sleep(3_000);
    await shootTerminal(browser, 'camera', camera);
    camera.press('q');

    const topics = await stage.terminal({ columns: 80, rows: 28 });
    await topics.type('cli robots topics amr-007 echo /lidar/scan --once\r');
    await topics.sees('---');
    await sleep(1_000);
    await shootTerminal(browser, 'topics', topics);
  } finally {
    await browser.close();
  }
}
