import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { startBrowser } from '@tds/browser';
import { CUE_SECONDS, framesIn, HEIGHT, WIDTH } from './players.ts';
import type { Programs } from './programs.ts';

/** Videos on one page, each at a cue of its own. */
const A_PAGE = 10;

const pageOf = (first: number, count: number): string => `<!DOCTYPE html>
<style>body { margin: 0 } video { display: block; width: ${WIDTH}px; height: ${HEIGHT}px } ::cue { font: 20px "DejaVu Sans" }</style>
${Array.from({ length: count }, (_, n) => `<video id="${first + n}" src="black.webm" muted><track src="cues.vtt" default></video>`).join('\n')}
<img src="loaded">
<script>
  const isDrawn = (video) => {
    const [track] = video.textTracks;
    track.mode = 'showing';
    const at = Number(video.id) * ${CUE_SECONDS} + ${CUE_SECONDS / 2};
    if (video.currentTime !== at) video.currentTime = at;
    return !video.seeking && video.readyState > 1 && track.activeCues?.length > 0;
  };
  const wait = setInterval(() => {
    if (![...document.querySelectorAll('video')].map(isDrawn).every(Boolean)) return;
    clearInterval(wait);
    setTimeout(() => fetch('drawn'), 300);
  }, 50);
</script>`;

type File = readonly [type: string, bytes: Buffer];

/** From the byte on that a browser asks for: it jumps in no other video. */
const sendPart = (response: ServerResponse, [type, bytes]: File, range: string | undefined): void => {
  const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
  const part = {
    'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
    'accept-ranges': 'bytes',
  };
  response.writeHead(range ? 206 : 200, { 'content-type': type, ...(range && part) }).end(bytes.subarray(from));
};

/** Serves pages of videos; the load of a page ends when its cues are drawn. */
const serve = async (video: string, cues: string, count: number): Promise<Server> => {
  const files: Readonly<Record<string, File>> = {
    '/black.webm': ['video/webm', readFileSync(video)],
    '/cues.vtt': ['text/vtt', readFileSync(cues)],
  };
  let endLoad: (() => void) | undefined;
  const server = createServer(({ url = '/', headers }, response) => {
    const file = files[url];
    if (file) sendPart(response, file, headers.range);
    else if (url === '/loaded') endLoad = () => response.writeHead(204).end();
    else if (url === '/drawn') {
      response.writeHead(204).end();
      endLoad?.();
    } else if (/^\/\d+$/.test(url)) {
      const first = Number(url.slice(1));
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(pageOf(first, Math.min(A_PAGE, count - first)));
    } else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

type Photograph = (address: string, height: number, target: string) => Promise<unknown>;

const drawPages = async (
  { read, dir }: Programs,
  file: string,
  count: number,
  photograph: Photograph,
): Promise<Buffer[][]> => {
  const black = [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    `color=black:s=${WIDTH}x${HEIGHT}:r=1:d=${CUE_SECONDS * count}`,
  ];
  await read('ffmpeg', ...black, '-c:v', 'libvpx', '-g', '1', 'black.webm');
  const server = await serve(path.join(dir, 'black.webm'), file, count);
  const frames: Buffer[] = [];
  try {
    for (let first = 0; first < count; first += A_PAGE) {
      const height = HEIGHT * Math.min(A_PAGE, count - first);
      await photograph(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/${first}`,
        height,
        path.join(dir, 'page.png'),
      );
      await read(
        'ffmpeg',
        '-v',
        'error',
        '-y',
        '-i',
        'page.png',
        '-pix_fmt',
        'gray',
        '-f',
        'rawvideo',
        'frames',
      );
      frames.push(...framesIn(path.join(dir, 'frames')));
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return frames.map((frame) => [frame]);
};

/** A picture of each cue, as Chromium draws it. */
export const drawChromium = async (programs: Programs, file: string, count: number): Promise<Buffer[][]> => {
  const browser = await startBrowser();
  try {
    return await drawPages(programs, file, count, async (address, height, target) => {
      const page = await browser.newPage({ viewport: { width: WIDTH, height } });
      await page.goto(address);
      await page.screenshot({ path: target });
      await page.close();
    });
  } finally {
    await browser.close();
  }
};

/** A picture of each cue, as Firefox draws it. */
export const drawFirefox = (programs: Programs, file: string, count: number): Promise<Buffer[][]> =>
  drawPages(programs, file, count, (address, height, target) =>
    programs.read('firefox', '--screenshot', target, `--window-size=${WIDTH},${height}`, address),
  );

export const chromiumVersion = async (): Promise<string> => {
  const browser = await startBrowser();
  try {
    return browser.version();
  } finally {
    await browser.close();
  }
};
