import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { watchUrl } from '../transcript.ts';
import { commandMessage, LISTENING, playerAddress, pressedAction, readReport } from './player.ts';

export type PlayerControls = {
  /** False if no player has answered yet. */
  play(seconds: number): boolean;
};

type PlayerProps = {
  readonly video: string;
  /** The second at which it begins; null for the first. */
  readonly at: number | null;
  readonly controls: RefObject<PlayerControls | null>;
  /** Called some times a second with the second that is shown. */
  readonly onSecond: (second: number) => void;
};

/** Of the platform's privacy-friendly host, or of the simulator; the policy of this page lets it show no other frame. */
const ORIGIN = document.body.dataset.player ?? '';
const BACK_SECONDS = 5;
const LISTEN_EVERY_MS = 500;
const MAX_LISTENS = 20;
const SILENT_AFTER_MS = 8_000;
const FIELDS = 'input, select, textarea';
const PRESSABLE = 'button, summary';

const send = (frame: RefObject<HTMLIFrameElement | null>, message: string): void =>
  frame.current?.contentWindow?.postMessage(message, ORIGIN);

/** What the frame reports, and whether it has reported anything. */
const useReports = (frame: RefObject<HTMLIFrameElement | null>, onSecond: PlayerProps['onSecond']) => {
  const now = useRef({ seconds: 0, isPlaying: false });
  const [isHeard, setHeard] = useState(false);
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (origin !== ORIGIN || source !== frame.current?.contentWindow) return;
      const report = readReport(data);
      if (!report) return;
      now.current = { ...now.current, ...report };
      setHeard(true);
      if (report.seconds !== undefined) onSecond(report.seconds);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [frame, onSecond]);
  return { now, isHeard };
};

/** Says that this page listens, until a player that has loaded is ready to answer. */
const useListening = (frame: RefObject<HTMLIFrameElement | null>, isHeard: boolean) => {
  const [loads, setLoads] = useState(0);
  useEffect(() => {
    if (loads === 0 || isHeard) return;
    let left = MAX_LISTENS;
    const listen = () => {
      send(frame, LISTENING);
      left -= 1;
      if (left === 0) clearInterval(timer);
    };
    const timer = setInterval(listen, LISTEN_EVERY_MS);
    listen();
    return () => clearInterval(timer);
  }, [frame, loads, isHeard]);
  return () => setLoads((known) => known + 1);
};

const useSilence = (isHeard: boolean): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SILENT_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate && !isHeard;
};

/** Keys are those of a player that answers, unless they are a field's, or press a button. */
const useKeys = (isHeard: boolean, act: (action: 'toggle' | 'back') => void): void => {
  useEffect(() => {
    if (!isHeard) return;
    const press = (event: KeyboardEvent) => {
      const action = pressedAction(event);
      const target = event.target instanceof Element ? event.target : document.body;
      if (action === null || target.closest(event.key === ' ' ? `${FIELDS}, ${PRESSABLE}` : FIELDS)) return;
      event.preventDefault();
      act(action);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
};

/** The video beside its text, in a frame that may run its own scripts and nothing of ours. */
export const Player = ({ video, at, controls, onSecond }: PlayerProps) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const { now, isHeard } = useReports(frame, onSecond);
  const onLoad = useListening(frame, isHeard);
  const isSilent = useSilence(isHeard);
  const seek = (seconds: number) => {
    now.current.seconds = Math.max(0, seconds);
    send(frame, commandMessage('seekTo', [now.current.seconds, true]));
  };
  const play = (seconds: number) => {
    if (!isHeard) return false;
    seek(seconds);
    send(frame, commandMessage('playVideo'));
    return true;
  };
  useImperativeHandle(controls, () => ({ play }));
  useKeys(isHeard, (action) => {
    const { seconds, isPlaying } = now.current;
    if (action === 'back') seek(seconds - BACK_SECONDS);
    else send(frame, commandMessage(isPlaying ? 'pauseVideo' : 'playVideo'));
  });
  return (
    <section className="player" aria-label="Video">
      <iframe
        ref={frame}
        title="Player of the video"
        sandbox="allow-scripts allow-same-origin allow-popups"
        allow="autoplay; fullscreen"
        referrerPolicy="strict-origin"
        src={playerAddress(ORIGIN, video, location.origin, at)}
        onLoad={onLoad}
      />
      <p className="note" role="status">
        {isSilent ? (
          <>
            The video does not load here.{' '}
            <a href={watchUrl(video, at ?? undefined)} target="_blank" rel="noopener noreferrer">
              Open it on its platform
            </a>
          </>
        ) : (
          <>
            A time plays the video from there. <kbd>Space</kbd> or <kbd>K</kbd> pauses, <kbd>J</kbd> or{' '}
            <kbd>Left</kbd> goes back five seconds.
          </>
        )}
      </p>
    </section>
  );
};
