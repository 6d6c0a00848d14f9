import { encode } from 'html-entities';

/** In the frame: it plays by the clock, and speaks with the page at `origin` as the platform's own player does with `enablejsapi=1`. */
const script = `
const parameters = new URLSearchParams(location.search);
const page = parameters.get('enablejsapi') === '1' ? parameters.get('origin') : null;
const clock = document.querySelector('output');
const duration = Number(clock.dataset.duration);
let seconds = Number(parameters.get('start')) || 0;
let playerState = 5;
const say = (event, info = null) => {
  if (page) parent.postMessage(JSON.stringify({ event, info, id: 1, channel: 'widget' }), page);
};
const report = (event = 'infoDelivery') => {
  const whole = Math.floor(seconds);
  clock.value = (playerState === 1 ? 'Plays ' : 'Rests ') + Math.floor(whole / 60) + ':' + String(whole % 60).padStart(2, '0');
  say(event, { currentTime: seconds, playerState, duration });
};
const commands = {
  playVideo: () => { playerState = 1; },
  pauseVideo: () => { playerState = 2; },
  seekTo: ([to]) => { seconds = Math.min(Math.max(0, to), duration); },
};
let isHeard = false;
addEventListener('message', ({ source, origin, data }) => {
  if (source !== parent || origin !== page) return;
  const { event, func, args } = JSON.parse(data);
  if (event === 'listening' && !isHeard) { isHeard = true; say('onReady'); report('initialDelivery'); }
  if (event === 'command' && Object.hasOwn(commands, func)) { commands[func](args); report(); }
});
const STEP_MS = 250;
setInterval(() => {
  if (playerState !== 1) return;
  seconds = Math.min(seconds + STEP_MS / 1000, duration);
  report();
}, STEP_MS);
report();
`;

/** The player of a video, as a page shows it in a frame. */
export const embedPage = (title: string, lengthSeconds: number): string =>
  [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    `<title>${encode(title)}</title><style>`,
    'html { height: 100%; color: white; background: #101418; font: 15px system-ui, sans-serif; }',
    'body { margin: 0; padding: 1rem; } output { font-size: 2rem; }',
    `</style></head><body><p>${encode(title)}</p>`,
    `<output data-duration="${lengthSeconds}"></output><script>${script}</script></body></html>`,
  ].join('');
