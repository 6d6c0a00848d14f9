import { encode } from 'html-entities';

/** In the frame: it plays by the clock, and speaks with the page at `origin` as the platform's own player does with `enablejsapi=1`. */
const script = `
const parameters = new URLSearchParams(location.search);
const page = parameters.get('origin') ?? location.origin;
const clock = document.querySelector('output');
let [currentTime, playerState, isHeard] = [Number(parameters.get('start')), 5, false];
const report = (event) => {
  const whole = Math.floor(currentTime);
  clock.value = (playerState === 1 ? 'Plays ' : 'Rests ') + Math.floor(whole / 60) + ':' + String(whole % 60).padStart(2, '0');
  if (isHeard) parent.postMessage(JSON.stringify({ event, info: { currentTime, playerState } }), page);
};
const play = (state) => { playerState = state; };
const commands = { playVideo: () => play(1), pauseVideo: () => play(2), seekTo: ([to]) => { currentTime = Math.max(0, to); } };
addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== page) return;
  const { event, func, args } = JSON.parse(data);
  isHeard ||= event === 'listening' && parameters.get('enablejsapi') === '1';
  commands[func]?.(args);
  report(event === 'listening' ? 'initialDelivery' : 'infoDelivery');
});
setInterval(() => { if (playerState === 1) { currentTime += 0.25; report('infoDelivery'); } }, 250);
report();
`;

/** The player of a video, as a page shows it in a frame. */
export const embedPage = (title: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${encode(title)}</title></head>
<body><p>${encode(title)}</p><output></output><script>${script}</script></body></html>`;
