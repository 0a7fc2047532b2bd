import { expect, test } from 'vitest';
import { camerasOf } from '../../../../cli/agent/camera/spec.ts';

const argsOf = (text: string) => {
  const [camera] = camerasOf([text]);
  return camera?.kind === 'ffmpeg' ? camera.args.join(' ') : undefined;
};

test('cameras have the names that they are given, or one that says nothing', () => {
  const texts = [
    'test:',
    'front=v4l2:/dev/video0',
    'http://10.0.0.9/?name=a',
    'ros:/camera/image/compressed',
    'a-1_b=rtsp://h/x',
  ];
  expect(camerasOf(texts).map(({ name }) => name)).toEqual(['camera', 'front', 'camera2', 'camera3', 'a-1_b']);
  expect(camerasOf(texts)[2]).toMatchObject({ kind: 'http', url: new URL('http://10.0.0.9/?name=a') });
  expect(camerasOf(texts)[3]).toEqual({ name: 'camera3', kind: 'ros', topic: '/camera/image/compressed' });
  expect(camerasOf(['x=test:?size=640x480&fps=2'])).toEqual([
    { name: 'x', kind: 'test', width: 640, height: 480, perSecond: 2 },
  ]);
});

test('a device is read as its options say, and its own JPEGs are not made anew', () => {
  expect(argsOf('v4l2:/dev/video0?size=640x480&fps=15&input_format=mjpeg')).toBe(
    '-fflags nobuffer -f v4l2 -input_format mjpeg -video_size 640x480 -framerate 15 -i /dev/video0 -c:v copy -bsf:v mjpeg2jpeg',
  );
  expect(argsOf('v4l2:/dev/video0?input_format=mjpeg&quality=4')).toContain('-c:v mjpeg -pix_fmt yuvj420p -q:v 4');
  expect(argsOf('v4l2:/dev/video0')).toBe(
    '-fflags nobuffer -f v4l2 -i /dev/video0 -c:v mjpeg -pix_fmt yuvj420p -q:v 7',
  );
});

test('what is behind the question mark of rtsp is the camera’s, and what is behind # is ours', () => {
  expect(argsOf('rtsp://u:p@h:554/s?channel=1#size=640x480&fps=5&quality=9')).toBe(
    '-fflags nobuffer -rtsp_transport tcp -i rtsp://u:p@h:554/s?channel=1 -an -vf scale=640:480 -r 5 -c:v mjpeg -pix_fmt yuvj420p -q:v 9',
  );
});

test.each([
  ['what', /^camera camera: its source must start with v4l2:, http:,/],
  ['Front=test:', /^camera camera: its source must start with/],
  ['front=file:/etc/passwd', /^camera front: its source must start with/],
  ['http://', /the address is invalid/],
  ['rtsp://:top-secret@', /the address is invalid/],
  ['v4l2:video0', /requires a device/],
  ['v4l2:-i', /requires a device/],
  ['v4l2:/dev/video0?size=big', /size must be like 640x480/],
  ['v4l2:/dev/video0?size=9999x9999', /size must be like 640x480/],
  ['v4l2:/dev/video0?fps=0', /fps must be a number from 0.5 to 100/],
  ['rtsp://u:12#ss@h/1', /has no option like that; there are/],
  ['v4l2:/dev/video0?quality=99', /quality must be a number from 1/],
  ['v4l2:/dev/video0?input_format=-x', /input_format must be a name/],
  ['v4l2:/dev/video0?zoom=3', /has no option zoom; there are size, fps, quality, input_format/],
  ['ros:camera', /requires the name of a topic/],
  ['test:?size=1280x720', /size is at most 640x480/],
  ['test:loud', /options follow a question mark/],
])('%s is refused with a sentence', (text, why) => {
  expect(() => camerasOf([text])).toThrow(why);
  expect(() => camerasOf([text])).not.toThrow('top-secret');
});

test('two cameras of one name, and more than 32, are refused', () => {
  expect(() => camerasOf(['a=test:', 'a=test:'])).toThrow('two cameras are named a');
  expect(() => camerasOf(Array.from({ length: 33 }, () => 'test:'))).toThrow('33 cameras: at most 32 are allowed');
});
