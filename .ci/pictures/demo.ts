import { recordingSvg, startRecording } from './recording.ts';
import { savePicture } from './files.ts';
import { setStage } from './stage.ts';

const size = { columns: 90, rows: 26 };
const tabs = ['npm start', 'cli demo', 'cli'];

/** `demo.svg`: a fleet of simulated robots, a deployment that fails on two of them, and the fleet in `cli ui`. */
export async function recordDemo(): Promise<void> {
  await using stage = await setStage();
  const recording = startRecording();
  const { hold, show, record } = recording;

  const robots = await stage.terminal(size, record(1));
  const person = await stage.terminal(size, record(2));
  show(1, robots);
  await hold(500);
  await robots.type('cli demo\r');
  await robots.sees(/2[01] of 22 robots online/);
  await hold(2_000);

  show(2, person);
  await hold(500);
  await person.type('cli robots list --fields name,online,labels\r');
  await person.sees('22 robots');
  await hold(2_200);
  person.press('\f'); // clears the screen
  await person.type('cli deploy demo-nav-1.8.2 --fleet demo-forklifts --watch\r');
  await person.sees('Continue? [y/N]');
  await hold(1_500);
  await person.type('y\r');
  await person.sees(/verify_failed[^]*\$ \s*$/);
  await hold(2_400);

  person.press('\f');
  await person.type('cli ui\r');
  await person.sees('Recent events');
  await hold(2_800);
  await person.type('2');
  await hold(1_400);
  await person.type('/pick');
  await hold(1_200);
  person.press('\u001b');
  await hold(300);
  await person.type('3');
  await hold(1_200);
  await person.type('/1.8.2 fork\r');
  await hold(500);
  person.press('\r');
  await person.sees('Latest events');
  await hold(4_000);

  const { frames } = recording;
  const title = 'A terminal: a demo fleet starts, a release is deployed to it, and cli ui shows the robots';
  await savePicture('demo.svg', recordingSvg({ frames, durationMs: recording.durationMs(), tabs, ...size, title }));
}
