import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Programs } from './programs.ts';

/** Seconds that each cue stands on the screen: the first from 0 on, one after another. */
export const CUE_SECONDS = 2;
export const [WIDTH, HEIGHT] = [640, 120];
const FRAMES_PER_SECOND = 4;

/** What stands on the screen, and its time in seconds. */
export type Shown = { readonly from: number; readonly to: number; readonly text: string };

const watcher = `mp.observe_property("sub-text", "string", function(_, text)
  if text and text ~= "" then
    local times = { mp.get_property_number("sub-start"), mp.get_property_number("sub-end") }
    mp.msg.info((require("mp.utils").format_json({ from = times[1], to = times[2], text = text })))
  end
end)`;

const blackVideo = (seconds: number, rate: number): string[] => [
  ...['-v', 'error', '-y', '-f', 'lavfi', '-i'],
  `color=black:s=${WIDTH}x${HEIGHT}:r=${rate}:d=${seconds}`,
];

/** The words that mpv says it shows. */
export const readMpv = async ({ read, write }: Programs, file: string, count: number): Promise<Shown[]> => {
  const script = write('watch.lua', watcher);
  await read('ffmpeg', ...blackVideo(CUE_SECONDS * count, FRAMES_PER_SECOND), '-c:v', 'mjpeg', 'black.avi');
  const options = ['--no-config', '--vo=null', '--ao=null', '--untimed', '--msg-level=all=no,watch=info'];
  const output = await read('mpv', ...options, `--script=${script}`, `--sub-file=${file}`, 'black.avi');
  return [...output.matchAll(/^\[watch\] (.*)$/gm)].map(([, line = '']) => JSON.parse(line));
};

/** The words that GStreamer hands to what draws them; each cue has to end with the mark. */
export const readGstreamer = async ({ read }: Programs, file: string, mark: string): Promise<string[]> => {
  const pipeline = ['filesrc', `location=${file}`, '!', 'subparse', '!', 'fdsink', 'fd=1'];
  const markup = (await read('gst-launch-1.0', '-q', ...pipeline)).trimEnd();
  const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };
  const text = markup.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity as '&lt;']);
  return text.split(mark).slice(0, -1);
};

/** Pictures of one byte for each pixel. */
export const framesIn = (file: string): Buffer[] => {
  const [bytes, size] = [readFileSync(file), WIDTH * HEIGHT];
  return Array.from({ length: bytes.length / size }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
};

/** A picture of each cue, as mpv draws it. */
export const drawMpv = async ({ read, dir }: Programs, file: string, count: number): Promise<Buffer[][]> => {
  await read('ffmpeg', ...blackVideo(CUE_SECONDS * count, 1 / CUE_SECONDS), '-c:v', 'mjpeg', 'black.avi');
  const output = ['--vo=image', '--vo-image-format=png', '--vo-image-outdir=shots', '--ao=null'];
  rmSync(path.join(dir, 'shots'), { recursive: true, force: true });
  await read('mpv', '--no-config', '--untimed', '--sub-scale=3', ...output, `--sub-file=${file}`, 'black.avi');
  const shots = ['-v', 'error', '-y', '-i', 'shots/%08d.png'];
  await read('ffmpeg', ...shots, '-pix_fmt', 'gray', '-f', 'rawvideo', 'frames');
  return framesIn(path.join(dir, 'frames')).map((frame) => [frame]);
};

/** A picture of each cue, as ffmpeg draws it. */
export const drawFfmpeg = async ({ read, dir }: Programs, file: string, count: number): Promise<Buffer[][]> => {
  const video = blackVideo(CUE_SECONDS * count, 1 / CUE_SECONDS);
  await read(
    'ffmpeg',
    ...video,
    '-vf',
    `subtitles=${path.basename(file)}`,
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    'frames',
  );
  return framesIn(path.join(dir, 'frames')).map((frame) => [frame]);
};

/** The pictures of each cue, as VLC draws them. It may be late, and may leave out a cue. */
export const drawVlc = async ({ read, dir }: Programs, file: string, count: number): Promise<Buffer[][]> => {
  await read('ffmpeg', ...blackVideo(CUE_SECONDS * count, FRAMES_PER_SECOND), '-c:v', 'mjpeg', 'black.avi');
  const output = '#transcode{vcodec=mp2v,vb=20000,soverlay}:std{access=file,mux=ts,dst=drawn.ts}';
  const options = ['-I', 'dummy', '--ignore-config', '--no-audio', '--freetype-rel-fontsize=6'];
  await read('vlc', ...options, `--sub-file=${file}`, '--sout', output, 'black.avi', 'vlc://quit');
  const rate = `fps=${FRAMES_PER_SECOND}`;
  await read(
    'ffmpeg',
    '-v',
    'fatal',
    '-y',
    '-i',
    'drawn.ts',
    '-vf',
    rate,
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    'frames',
  );
  const frames = framesIn(path.join(dir, 'frames'));
  const each = CUE_SECONDS * FRAMES_PER_SECOND;
  return Array.from({ length: count }, (_, at) => frames.slice(at * each, (at + 1) * each));
};

const countPixels = (frame: Buffer, isCounted: (pixel: number, at: number) => boolean): number =>
  frame.reduce((sum, pixel, at) => (isCounted(pixel, at) ? sum + 1 : sum), 0);

/** What compression leaves of two equal texts; a sign is larger. */
const MAX_DIFFERENCE = 70;

/** Whether a picture with a text is among the others. */
export const isAmong = (frame: Buffer, others: readonly Buffer[]): boolean =>
  countPixels(frame, (pixel) => pixel > 128) > 0 &&
  others.some(
    (other) => countPixels(frame, (pixel, at) => Math.abs(pixel - (other[at] ?? 0)) > 60) < MAX_DIFFERENCE,
  );
