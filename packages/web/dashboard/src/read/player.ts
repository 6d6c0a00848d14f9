/** The messages of the platform's player, as its own script sends them to a frame with `enablejsapi=1`: JSON, in both directions. */
const toMessage = (message: object): string => JSON.stringify({ ...message, id: 1, channel: 'widget' });

/** Asks it to report from now on. It hears nothing before it is ready. */
export const LISTENING = toMessage({ event: 'listening' });

type Command = 'playVideo' | 'pauseVideo' | 'seekTo';

export const commandMessage = (func: Command, args: readonly unknown[] = []): string =>
  toMessage({ event: 'command', func, args });

/** The address of its frame. It reports to the origin of the page that shows it, and to no other. */
export const playerAddress = (origin: string, video: string, page: string, at: number | null): string =>
  `${origin}/embed/${encodeURIComponent(video)}?${new URLSearchParams({
    enablejsapi: '1',
    origin: page,
    playsinline: '1',
    rel: '0',
    ...(at !== null && { start: String(at) }),
  })}`;

/** What the player says of itself; a message may have a part of it. */
type PlayerReport = { readonly seconds?: number; readonly isPlaying?: boolean };

const PLAYING = 1;
const BUFFERING = 3;
const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** Null if the message is no report of a player. */
export const readReport = (data: unknown): PlayerReport | null => {
  try {
    const { event, info } = JSON.parse(String(data));
    if (typeof event !== 'string') return null;
    const { currentTime, playerState } = info ?? {};
    return {
      ...(isNumber(currentTime) && { seconds: currentTime }),
      ...(isNumber(playerState) && { isPlaying: playerState === PLAYING || playerState === BUFFERING }),
    };
  } catch {
    // A message of something else.
    return null;
  }
};

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** What a key does to the player, outside of fields. Keys with a modifier are the browser's. */
export const pressedAction = (press: Press): 'toggle' | 'back' | null => {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return null;
  const key = press.key.toLowerCase();
  if (key === ' ' || key === 'k') return 'toggle';
  return key === 'j' || key === 'arrowleft' ? 'back' : null;
};

const SHOWN = 'video';

/** Whether the reader wants to see the video, on this browser. */
export const isVideoShown = (): boolean => localStorage.getItem(SHOWN) === 'shown';

export const rememberVideo = (isShown: boolean): void => {
  if (isShown) localStorage.setItem(SHOWN, 'shown');
  else localStorage.removeItem(SHOWN);
};
