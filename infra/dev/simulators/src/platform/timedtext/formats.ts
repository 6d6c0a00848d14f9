import { encode } from 'html-entities';
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
const writeJson3 = (body: CaptionBody): string => {
  const speech = body.kind === 'asr';
  return JSON.stringify({
    wireMagic: 'pb3',
    pens: [{}],
    wsWinStyles: speech ? windowStyles : [{}],
    wpWinPositions: speech ? windowPositions : [{}],
    events: speech ? speechEvents(body) : wireCues(body).map((cue) => lineEvent(cue, false)),
  });
};

/** The old XML format encodes its text twice. */
const escapeTwice = (text: string): string => encode(encode(text).replaceAll('&apos;', '&#39;'));

const seconds = (ms: number): string => String(ms / 1000);

/** `fmt=srv1`, also what comes when no format is asked for. */
const writeSrv1 = (body: CaptionBody): string => {
  const rows = wireCues(body).map(
    (cue) =>
      `<text start="${seconds(cue.startMs)}" dur="${seconds(cue.durationMs)}">${escapeTwice(cue.text)}</text>`,
  );
  return `<?xml version="1.0" encoding="utf-8" ?><transcript>${rows.join('')}</transcript>`;
};

const escapeText = (text: string): string => encode(text).replaceAll('&apos;', '&#39;');

const lineRow = (cue: Cue, attributes: string): string =>
  `<p t="${cue.startMs}" d="${cue.durationMs}"${attributes}>${escapeText(cue.text)}</p>`;

/** A styled line: its first word has a pen of its own. */
const styledRow = (cue: Cue): string => {
  const [first = '', ...rest] = cue.text.split(/(?= )/);
  const inner = `<s p="1">${escapeText(first)}</s><s p="2">${escapeText(rest.join(''))}</s>`;
  return `<p t="${cue.startMs}" d="${cue.durationMs}" wp="1" ws="1">${inner}</p>`;
};

const spokenRow = (cue: Cue): string => {
  const inner = timedWords(cue)
    .map(({ text, offsetMs }) => `<s${offsetMs > 0 ? ` t="${offsetMs}"` : ''} ac="0">${escapeText(text)}</s>`)
    .join('');
  return `<p t="${cue.startMs}" d="${cue.durationMs}" w="1">${inner}</p>`;
};

const appendParagraph = (cue: Cue, next: Cue, index: number): string => {
  const { startMs, durationMs } = appendRow(cue, next, index);
  const length = durationMs === undefined ? '' : ` d="${durationMs}"`;
  return `<p t="${startMs}"${length} w="1" a="1">\n</p>`;
};

const speechRows = (body: CaptionBody): string[] => [
  '<w t="0" id="1" wp="1" ws="1"/>',
  ...body.cues.flatMap((cue, index) => {
    const row = body.translated ? lineRow(cue, ' w="1"') : spokenRow(cue);
    const next = body.cues[index + 1];
    return next ? [row, appendParagraph(cue, next, index)] : [row];
  }),
];

const manualRows = (body: CaptionBody): string[] =>
  wireCues(body).map((cue) => (body.style === 'karaoke' ? styledRow(cue) : lineRow(cue, '')));

const HEAD =
  '<head><pen id="1" fc="#FFE400"/><pen id="2" fc="#FFFFFF"/><ws id="0"/><ws id="1" mh="2" ju="0" sd="3"/>' +
  '<wp id="0"/><wp id="1" ap="6" ah="20" av="100" rc="2" cc="40"/></head>';

/** `fmt=srv3`. */
const writeSrv3 = (body: CaptionBody): string => {
  const speech = body.kind === 'asr';
  const rows = speech ? speechRows(body) : manualRows(body);
  const head = speech || body.style === 'karaoke' ? HEAD : '';
  return `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">\n${head}<body>\n${rows.join('\n')}\n</body>\n</timedtext>\n`;
};

type CaptionFormat = { contentType: string; write(body: CaptionBody): string };

const xml = 'text/xml; charset=UTF-8';
const formats = new Map<string, CaptionFormat>([
  ['json3', { contentType: 'application/json; charset=UTF-8', write: writeJson3 }],
  ['srv3', { contentType: xml, write: writeSrv3 }],
  ['srv1', { contentType: xml, write: writeSrv1 }],
]);

const oldest: CaptionFormat = { contentType: xml, write: writeSrv1 };

/** The format of `fmt=`; the old XML for none or an unknown one. */
export const captionFormat = (name: string | null): CaptionFormat => formats.get(name ?? '') ?? oldest;
