import { type Answers, allFiles } from './answers.ts';

const lines = `
BADGE_STYLE_TYPE_SIMPLE CAPTIONS_INITIAL_STATE_OFF_RECOMMENDED CAPTIONS_INITIAL_STATE_ON_RECOMMENDED CHEVRON_LEFT CHEVRON_RIGHT DEFAULT
DIMENSION_UNIT_POINT DOCTYPE ERROR_OUTLINE LOCKUP_CONTENT_TYPE_PLAYLIST LOCKUP_CONTENT_TYPE_PODCAST LOCKUP_CONTENT_TYPE_VIDEO
LOGIN_REQUIRED OPEN_IN_NEW PERSON_RADAR PLAY_DISABLED RICH_GRID_STYLE_SLIM STYLE_BLUE_TEXT STYLE_DEFAULT STYLE_MESSAGE STYLE_TEXT
THUMBNAIL_HOVER_OVERLAY_STYLE_COVER TOOLTIP_DISMISS_TYPE_TAP_ANYWHERE TOOLTIP_POSITION_TYPE_BELOW_START UNKNOWN UNPLAYABLE
WEB_PAGE_TYPE_CHANNEL es-419 zh-Hans zh-Hant x-shockwave-flash
access action alternate application author average captions channel channelId channel_id community consent content continue
data-sitekey days_since_epoch default description encoding expire feature format g-recaptcha height hidden hqdefault ipbits
lockupViewModel maxresdefault method mqdefault playlist playlistId playlistVideoRenderer playlist_id published schemas
sddefault search shorts signature sparams starRating statistics thumbnail timedtext transcript updated utm_source version videoId
videos youtube
Closed Streamed manual minutes months granted members private unavailable
`;

/** Words of the protocol: names of fields, constants, parameters and tags, and by what the platform's own texts are recognised. */
const vocabulary: ReadonlySet<string> = new Set(lines.trim().split(/\s+/));

/** Counts, sizes and times. */
const NUMBER = /^\d+$/;

/** Shorter words of made-up letters may be real names by chance. */
const MIN_LENGTH = 6;

/** Words, names and ids: what a text is cut into. */
const tokensOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? [];

const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
};

const valuesOf = (text: string): readonly string[] =>
  text.startsWith('{') ? leavesOf(JSON.parse(text)) : [text];

const tokensIn = (answers: Answers): readonly string[] =>
  allFiles
    .flatMap(({ name }) => [answers.body(name), JSON.stringify(answers.reading(name) ?? {})])
    .flatMap(valuesOf)
    .flatMap(tokensOf)
    .filter(({ length }) => length >= MIN_LENGTH);

/** Words, names and ids of the recorded answers that stand in made-up ones too, and that are no words of the protocol. */
export const findLeakedTokens = (recorded: Answers, derived: Answers): readonly string[] => {
  const originals = new Set(tokensIn(recorded));
  const candidates = tokensIn(derived).filter((token) => originals.has(token));
  return [...new Set(candidates)].filter((token) => !NUMBER.test(token) && !vocabulary.has(token)).toSorted();
};
