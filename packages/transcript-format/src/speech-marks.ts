import type { Cue } from '@tds/contracts';
import { textLength } from './caption-text.ts';

const MAX_SOUND_LENGTH = 120;
const notes = String.raw`♩♪♫♬\u{1f3b5}\u{1f3b6}`;
const enclosed = String.raw`[[(（［【〔][^\])）］】〕]{1,80}[\])）］】〕]|\{[^{}\\]{1,80}\}|\*[^*]{1,80}\*`;
const sound = new RegExp(String.raw`^(?:[-–—\s\ufe0f${notes}]|${enclosed})+$`, 'u');
const namedOrSung = new RegExp(String.raw`[\p{L}${notes}]`, 'u');

const sung = new RegExp(String.raw`^[-–—\t\p{Zs}]*[${notes}]|[${notes}]$`, 'mu');
/** Whether a line of a text is of a song: a note stands at its start or its end. */
export const isSung = (text: string): boolean => sung.test(text);

/** A caption that may be no speech, such as `[Music]`, `- (applause)` or `♪`. A word that is hidden, as `[ __ ]`, is speech. */
const isSoundMark = (text: string): boolean =>
  text.length <= MAX_SOUND_LENGTH && sound.test(text) && namedOrSung.test(text);

const sentenceEnd = /[.!?…。！？]["'”’」』]?[\])）］】〕}*]$/;
const isLong = (text: string, words: number, characters: number): boolean => {
  const { unit, count } = textLength(text);
  return count >= (unit === 'Words' ? words : characters);
};
const MIN_THOUGHTS = 4;

/** Thoughts, another language or a voice off screen. Several sounds in a row are shorter, or the same again. */
const areThoughts = (row: readonly string[]): boolean =>
  row.length >= MIN_THOUGHTS &&
  new Set(row).size * 2 > row.length &&
  isLong(row.join(' '), 4 * row.length, 6 * row.length);

/** Finds the captions that are no speech: a mark that is rare in one film is every line of another. */
export const createSoundFinder = (cues: readonly Cue[]): ((text: string) => boolean) => {
  const thoughts = new Set<string>();
  let row: string[] = [];
  for (const { text } of [...cues, { text: '' }]) {
    if (isSoundMark(text)) row.push(text);
    else {
      if (areThoughts(row)) for (const thought of row) thoughts.add(thought);
      row = [];
    }
  }
  return (text) => isSoundMark(text) && !thoughts.has(text) && !(sentenceEnd.test(text) && isLong(text, 3, 5));
};

/**
 * `>>` at the start of a line or, as recognised speech has it, in it. In a line a number may follow a shift of bits, so there it begins a turn
 * only behind the end of a sentence.
 */
const turn =
  /^(?=>{2,3}(?![>=]))|\s(?=>{2,3}\s?[\p{L}\p{Pi}\p{Pf}\p{Ps}"'¿¡…♪])|(?<=[.!?…"'\p{Pe}\p{Pf}])\s(?=>{2,3}\s?[\p{N}\p{Sc}])/gmu;

/** A dash before what somebody says, and not before a negative number. */
const dash = /^[-‐–—―－](?: ?(?=[^\s\p{N}\p{Pd}>])| (?=\p{N}))/gmu;

/** Nearly all captions have none of these. */
const mayTurn = />>|[:：]|^[-‐–—―－[(（［【〔]/m;
const none: readonly never[] = [];

const findDashes = (text: string): number[] => Array.from(text.matchAll(dash), ({ index }) => index);

/** Each of so many captions in a row has another speaker: one alone may be an item of a list. */
const MIN_DASHED_CAPTIONS = 3;

/** The texts of captions in a row that begin with a dash. */
const findDashedCaptions = (cues: readonly Cue[]): ReadonlySet<string> => {
  const dashed = new Set<string>();
  let row: string[] = [];
  for (const { text } of cues) {
    const isDashed = mayTurn.test(text) && findDashes(text)[0] === 0;
    row = isDashed ? [...row.slice(1 - MIN_DASHED_CAPTIONS), text] : [];
    if (row.length === MIN_DASHED_CAPTIONS) for (const each of row) dashed.add(each);
  }
  return dashed;
};

const namePart = String.raw`[\p{L}\p{M}\p{N}.'’_-]{0,19}`;
// Names in scripts without case have no small letters to tell them from other words.
const label = String.raw`[\p{Lu}\p{Lo}]${namePart}(?: [\p{Lu}\p{Lo}\p{N}]${namePart}){0,3}`;
const inBrackets = String.raw`[[(](${label})[\])](?=[\s:：]|$)|[（［【〔](${label})[）］】〕]`;
const speaker = new RegExp(String.raw`^([-‐–—―－] ?)?(?:(${label})(?::(?=\s|$)|：)|${inBrackets})`, 'u');
/** In brackets before speech. */
const soundWord =
  /^(?:music|appla|laugh|cheer|sigh|gasp|chuckl|cough|cry|sob|groan|grunt|scream|clap|sing|hum|whisper|b[le]+p|noise|silen|in(?:audib|distinct)|unintell|cross|foreign|pause|音|拍手|掌|笑)/i;
const withoutCase = /\p{Lo}/u;
/** Words that report what follows, such as 他说, and a topic, such as …は: they are in no name. */
const reports =
  /.[说說道问問答曰云言讲講喊叫称稱写寫は는]$|(?:表示|认为|認為|ว่า|말했다|물었다|כתב|כתבה|אמר|אמרה|कहा|बोला|बोली)$|^[وف]?(?:قال|قالت|يقول|تقول)/u;
const quote = /^\s?[\p{Pi}「『"]/u;

type SpeakerLabel = { readonly name: string; readonly isDashed: boolean };

const readLabel = (line: string): SpeakerLabel | null => {
  const [all = '', mark, plain, ...enclosed] = speaker.exec(line) ?? [];
  const name = plain ?? enclosed.find((each) => each !== undefined);
  if (name === undefined) return null;
  const isReport = withoutCase.test(name) && (reports.test(name) || quote.test(line.slice(all.length)));
  const isNoName = plain === undefined ? soundWord.test(name) : isReport;
  return isNoName ? null : { name, isDashed: mark !== undefined };
};

/** More are headings. */
const MAX_TALKERS = 12;

/** Names that begin at least two lines: one `Note:` is no speaker. In scripts without case several names have to, as in a talk. */
const findSpeakers = (cues: readonly Cue[]): ReadonlySet<string> => {
  const [once, often] = [new Set<string>(), new Set<string>()];
  for (const { text } of cues) {
    for (const line of mayTurn.test(text) ? text.split('\n') : none) {
      const speakerLabel = readLabel(line);
      if (speakerLabel !== null) (once.has(speakerLabel.name) ? often : once).add(speakerLabel.name);
    }
  }
  const isTalk = often.size > 1 && often.size <= MAX_TALKERS;
  return isTalk ? often : new Set([...often].filter((name) => !withoutCase.test(name)));
};

const findTurns = (text: string): number[] =>
  Array.from(text.matchAll(turn), ({ 0: space, index }) => index + space.length);

/** Where lines begin that name their speaker, and who that is. */
const findNamedLines = (text: string, speakers: ReadonlySet<string>) => {
  let at = 0;
  return text.split('\n').flatMap((line) => {
    const from = at;
    at += line.length + 1;
    const { name = '', isDashed = false } = readLabel(line) ?? {};
    return isDashed || speakers.has(name) ? [{ from, name }] : [];
  });
};

/**
 * Finds where in captions, one after the other, another person begins: `>>`, `- Name:`, `Name:` and `[NAME]` if the captions have that name
 * more than once, and a dash if two lines or several captions in a row begin with one. The positions ascend. A name that the caption before
 * has begins nothing.
 */
export const createTurnFinder = (cues: readonly Cue[]): ((text: string) => readonly number[]) => {
  const speakers = findSpeakers(cues);
  const dashed = findDashedCaptions(cues);
  let last: string | undefined;
  return (text) => {
    const named = mayTurn.test(text) ? findNamedLines(text, speakers) : none;
    const changes = named.filter(({ name }, index) => name !== (index === 0 ? last : named[index - 1]?.name));
    last = named.at(-1)?.name;
    if (!mayTurn.test(text)) return none;
    const dashes = findDashes(text);
    const starts = [
      ...findTurns(text),
      ...changes.map(({ from }) => from),
      ...(dashes.length > 1 || dashed.has(text) ? dashes : none),
    ];
    return [...new Set(starts)].sort((a, b) => a - b);
  };
};
