import type { Cue } from '@tds/contracts';

const MAX_SOUND_LENGTH = 120;
const sound = /^(?:[\s♪♫♬]|[[(（［【〔][^\])）］】〕]{1,80}[\])）］】〕])+$/u;
const namedOrSung = /[\p{L}♪♫♬]/u;

/** A caption that is no speech, such as `[Music]`, `(applause)` or `♪`. A word that is hidden, as `[ __ ]`, is speech. */
export const isSoundMark = (text: string): boolean =>
  text.length <= MAX_SOUND_LENGTH && sound.test(text) && namedOrSung.test(text);

/** `>>` at the start of a line or, as recognised speech has it, in it. */
const turn = /(?:^|\s)(?=>{2,3}\s?[\p{L}"'[(¿¡♪])/gmu;

/** Nearly all captions have none of these. */
const mayTurn = />>|[:：]/;
const none: readonly never[] = [];

const namePart = String.raw`[\p{L}\p{M}\p{N}.'’-]{0,19}`;
// Names in scripts without case have no small letters to tell them from other words.
const label = String.raw`[\p{Lu}\p{Lo}]${namePart}(?: [\p{Lu}\p{Lo}\p{N}]${namePart}){0,3}`;
const speaker = new RegExp(String.raw`^([-–—] ?)?(${label})(?::(?=\s|$)|：)`, 'u');

type SpeakerLabel = { readonly name: string; readonly isDashed: boolean };

const readLabel = (line: string): SpeakerLabel | null => {
  const [, dash, name] = speaker.exec(line) ?? [];
  return name === undefined ? null : { name, isDashed: dash !== undefined };
};

/** Names that begin at least two lines: one `Note:` is no speaker. */
const findSpeakers = (cues: readonly Cue[]): ReadonlySet<string> => {
  const [once, often] = [new Set<string>(), new Set<string>()];
  for (const { text } of cues) {
    for (const line of mayTurn.test(text) ? text.split('\n') : none) {
      const speakerLabel = readLabel(line);
      if (speakerLabel !== null) (once.has(speakerLabel.name) ? often : once).add(speakerLabel.name);
    }
  }
  return often;
};

const findTurns = (text: string): number[] =>
  Array.from(text.matchAll(turn), ({ 0: space, index }) => index + space.length);

/** Where lines begin that name their speaker. */
const findNamedLines = (text: string, speakers: ReadonlySet<string>): number[] => {
  let at = 0;
  return text.split('\n').flatMap((line) => {
    const from = at;
    at += line.length + 1;
    const speakerLabel = readLabel(line);
    return speakerLabel !== null && (speakerLabel.isDashed || speakers.has(speakerLabel.name)) ? [from] : [];
  });
};

/**
 * Finds where in a caption another person begins: `>>`, `- Name:`, or `Name:` if the captions have that name more than once. The positions
 * ascend.
 */
export const createTurnFinder = (cues: readonly Cue[]): ((text: string) => readonly number[]) => {
  const speakers = findSpeakers(cues);
  return (text) => {
    if (!mayTurn.test(text)) return none;
    const starts = [...findTurns(text), ...findNamedLines(text, speakers)];
    return [...new Set(starts)].sort((a, b) => a - b);
  };
};
