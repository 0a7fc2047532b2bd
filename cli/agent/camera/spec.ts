import { limits } from '../../../generated/protocol.js';
import { leastPerSecond } from './source.ts';

/** A camera as it is configured. */
export type CameraSpec = { name: string } & (
  | { kind: 'ffmpeg'; args: readonly string[] }
  | { kind: 'http'; url: URL }
  | { kind: 'ros'; topic: string }
  | { kind: 'test'; width: number; height: number; perSecond: number }
);

type SourceSpec = CameraSpec extends infer Each ? (Each extends unknown ? Omit<Each, 'name'> : never) : never;

const usualName = 'camera';
const namePattern = /^([a-z0-9_-]{1,32})=(.+)$/s;
/** 1 is the best and largest that ffmpeg produces, 31 the smallest. */
const usualQuality = 7;
const maxSide = 4_096;
/** The agent is blocked while it draws a picture, which takes some 70 ms at this size. */
const maxTestDots = 640 * 480;

/**
 * Parses `[name=]<source>` of all cameras. The first without a name is `camera`, the next `camera2`. @throws Error with
 * a readable message, which repeats no part of an address: that may contain a password
 */
export function camerasOf(texts: readonly string[]): CameraSpec[] {
  if (texts.length > limits.maxCameras)
    throw new Error(`${texts.length} cameras: at most ${limits.maxCameras} are allowed`);
  const cameras: CameraSpec[] = [];
  let unnamed = 0;
  for (const text of texts) {
    const [, given, source = text] = namePattern.exec(text) ?? [];
    if (given === undefined) unnamed += 1;
    const name = given ?? (unnamed === 1 ? usualName : `${usualName}${unnamed}`);
    if (cameras.some((camera) => camera.name === name)) throw new Error(`two cameras are named ${name}`);
    cameras.push({ name, ...sourceOf(source, name) });
  }
  return cameras;
}

function sourceOf(text: string, name: string): SourceSpec {
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):(.*)$/s.exec(text) ?? [];
  const fault = (what: string) => new Error(`camera ${name}: ${what}`);
  switch (scheme) {
    case 'v4l2':
      return { kind: 'ffmpeg', args: v4l2Args(rest, fault) };
    case 'rtsp':
    case 'rtsps':
      return { kind: 'ffmpeg', args: rtspArgs(text, fault) };
    case 'http':
    case 'https':
      if (!URL.canParse(text)) throw fault('the address is invalid');
      return { kind: 'http', url: new URL(text) };
    case 'ros':
      if (!/^\/[^\s?#]+$/.test(rest))
        throw fault('ros: requires the name of a topic, such as ros:/camera/image/compressed');
      return { kind: 'ros', topic: rest };
    case 'test': {
      const options = optionsOf(rest, ['size', 'fps'], fault);
      const [width = 320, height = 240] = options.size?.split('x').map(Number) ?? [];
      if (width * height > maxTestDots) throw fault('size is at most 640x480 for the test image');
      return { kind: 'test', width, height, perSecond: options.fps ?? 10 };
    }
    default:
      throw fault('its source must start with v4l2:, http:, https:, rtsp:, rtsps:, ros: or test:');
  }
}

/** A camera of this machine: its own JPEGs if it produces them, else encoded by ffmpeg. */
function v4l2Args(rest: string, fault: (what: string) => Error): string[] {
  const [device = '', query = ''] = rest.split(/\?(.*)/s);
  if (!device.startsWith('/')) throw fault('v4l2: requires a device, such as v4l2:/dev/video0');
  const { size, fps, quality, format } = optionsOf(`?${query}`, ['size', 'fps', 'quality', 'input_format'], fault);
  const given = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [name, String(value)];
  const isCopied = format === 'mjpeg' && quality === undefined;
  return [
    ...['-fflags', 'nobuffer', '-f', 'v4l2'],
    ...given('-input_format', format),
    ...given('-video_size', size),
    ...given('-framerate', fps),
    ...['-i', device],
    // Most cameras omit the tables that all of their JPEGs share, and viewers do not know these.
    ...(isCopied ? ['-c:v', 'copy', '-bsf:v', 'mjpeg2jpeg'] : encoded(quality)),
  ];
}

/** Options follow a `#`, because a query after `?` belongs to the camera. */
function rtspArgs(text: string, fault: (what: string) => Error): string[] {
  const [address = '', options = ''] = text.split(/#(.*)/s);
  if (!URL.canParse(address)) throw fault('the address is invalid');
  const { size, fps, quality } = optionsOf(`?${options}`, ['size', 'fps', 'quality'], fault);
  return [
    ...['-fflags', 'nobuffer', '-rtsp_transport', 'tcp', '-i', address, '-an'],
    ...(size === undefined ? [] : ['-vf', `scale=${size.replace('x', ':')}`]),
    ...(fps === undefined ? [] : ['-r', String(fps)]),
    ...encoded(quality),
  ];
}

const encoded = (quality = usualQuality) => ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', String(quality)];

interface Options {
  size?: string;
  fps?: number;
  quality?: number;
  format?: string;
}

function optionsOf(query: string, known: readonly string[], fault: (what: string) => Error): Options {
  if (query !== '' && !query.startsWith('?')) throw fault('options follow a question mark, such as ?fps=5');
  const options: Options = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const number = Number(value);
    // Any other name may be part of a password.
    if (!known.includes(name))
      throw fault(
        `it has no option${/^[a-z_]{1,32}$/.test(name) ? ` ${name}` : ' like that'}; there are ${known.join(', ')}`,
      );
    if (name === 'size') {
      const sides = /^(\d{2,4})x(\d{2,4})$/.exec(value)?.slice(1).map(Number);
      if (!sides || sides.some((side) => side < 16 || side > maxSide))
        throw fault('size must be like 640x480, at most 4096x4096');
      options.size = value;
    } else if (name === 'fps') {
      if (!(number >= leastPerSecond && number <= 100))
        throw fault(`fps must be a number from ${leastPerSecond} to 100`);
      options.fps = number;
    } else if (name === 'quality') {
      if (!Number.isInteger(number) || number < 1 || number > 31)
        throw fault('quality must be a number from 1 (best) to 31');
      options.quality = number;
    } else {
      if (!/^[a-z0-9_]{1,32}$/.test(value))
        throw fault('input_format must be a name of ffmpeg, such as mjpeg or yuyv422');
      options.format = value;
    }
  }
  return options;
}
