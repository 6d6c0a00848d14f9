import { encode } from 'html-entities';
import type { Cue } from '../catalogue/cues.ts';
import { appendRow, type CaptionBody, timedWords, wireCues } from './caption-body.ts';

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
export const writeSrv3 = (body: CaptionBody): string => {
  const speech = body.kind === 'asr';
  const rows = speech ? speechRows(body) : manualRows(body);
  const head = speech || body.style === 'karaoke' ? HEAD : '';
  return `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">\n${head}<body>\n${rows.join('\n')}\n</body>\n</timedtext>\n`;
};
