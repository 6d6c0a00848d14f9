import type { Cue } from '../catalogue/cues.ts';
import { appendRow, type CaptionBody, timedWords, wireCues } from './caption-body.ts';

const WINDOW_ID = 1;

const lineEvent = (cue: Cue, inWindow: boolean) => ({
  tStartMs: cue.startMs,
  dDurationMs: cue.durationMs,
  ...(inWindow ? { wWinId: WINDOW_ID } : {}),
  segs: [{ utf8: cue.text }],
});

const spokenEvent = (cue: Cue) => ({
  tStartMs: cue.startMs,
  dDurationMs: cue.durationMs,
  wWinId: WINDOW_ID,
  segs: timedWords(cue).map(({ text, offsetMs }, index) =>
    index === 0 ? { utf8: text, acAsrConf: 0 } : { utf8: text, tOffsetMs: offsetMs, acAsrConf: 0 },
  ),
});

const appendEvent = (cue: Cue, next: Cue, index: number) => {
  const { startMs, durationMs } = appendRow(cue, next, index);
  return {
    tStartMs: startMs,
    ...(durationMs === undefined ? {} : { dDurationMs: durationMs }),
    wWinId: WINDOW_ID,
    aAppend: 1,
    segs: [{ utf8: '\n' }],
  };
};

/** Recognised speech: a window, then lines in turn with append rows. */
const speechEvents = (body: CaptionBody) => {
  const window = { tStartMs: 0, dDurationMs: body.lengthMs, id: WINDOW_ID, wpWinPosId: 1, wsWinStyleId: 1 };
  const lines = body.cues.flatMap((cue, index) => {
    const event = body.translated ? lineEvent(cue, true) : spokenEvent(cue);
    const next = body.cues[index + 1];
    return next ? [event, appendEvent(cue, next, index)] : [event];
  });
  return [window, ...lines];
};

const windowStyles = [{}, { mhModeHint: 2, juJustifCode: 0, sdScrollDir: 3 }];
const windowPositions = [{}, { apPoint: 6, ahHorPos: 20, avVerPos: 100, rcRows: 2, ccCols: 40 }];

/** `fmt=json3`. */
export const writeJson3 = (body: CaptionBody): string => {
  const speech = body.kind === 'asr';
  return JSON.stringify({
    wireMagic: 'pb3',
    pens: [{}],
    wsWinStyles: speech ? windowStyles : [{}],
    wpWinPositions: speech ? windowPositions : [{}],
    events: speech ? speechEvents(body) : wireCues(body).map((cue) => lineEvent(cue, false)),
  });
};
