import {
  keyKind,
  languagePreference,
  listCursor,
  MAX_LIBRARY_QUERY_LENGTH,
  MAX_PASSAGE_CHARACTERS,
  MAX_WEBHOOK_URL_LENGTH,
  MAX_WORDS_PER_MONITOR,
  MIN_PASSAGE_CHARACTERS,
  type mailChoice,
  mailOfWork,
  type monitorMail,
  PASSAGE_CHARACTERS,
  receiverIds,
  uuid,
} from '@tds/contracts';
import type { ErrorCode } from '@tds/errors';
import { z } from 'zod';
import { field, okAnswer, okBody } from './define-route.ts';

/** Booleans in query strings: exactly true, false, 1 or 0; to readers of the API description they are booleans. */
const booleanText = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
const booleanMeta = { type: 'boolean', enum: undefined } as const;

export const queryBoolean = (byDefault: boolean) =>
  booleanText.default(byDefault).meta({ ...booleanMeta, default: byDefault });

/** Without a default: absent says something else than true and false. */
export const optionalQueryBoolean = booleanText.optional().meta(booleanMeta);

/** Where dates of databases and of JavaScript agree, and before every account. */
const FIRST_DAY = '1970-01-01';

/** A UTC day in a query. */
export const queryDay = z.iso.date().refine((text) => text >= FIRST_DAY);

/** Whole numbers in query strings, as people write them; to readers of the API description they are integers. */
export const wholeNumberText = (min: number, max: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,8})$/)
    .transform(Number)
    .refine((number) => number >= min && number <= max);
const integerMeta = (min: number, max: number, byDefault?: number) => ({
  ...{ type: 'integer', pattern: undefined, minimum: min, maximum: max },
  ...(byDefault !== undefined && { default: byDefault }),
});
const wholeNumber = (min: number, max: number, byDefault: number) =>
  wholeNumberText(min, max)
    .default(byDefault)
    .meta(integerMeta(min, max, byDefault));

/** It stays undefined if it is not sent; `byDefault` is what then holds. */
export const optionalWholeNumber = (min: number, max: number, byDefault?: number) =>
  wholeNumberText(min, max)
    .optional()
    .meta(integerMeta(min, max, byDefault));

/** Passages beside the cues of the format json. */
export const passageFields = {
  passages: field(
    queryBoolean(false),
    'invalid_passages',
    'true adds passages to the format json: whole sentences, joined from the captions',
  ),
  passage_characters: field(
    optionalWholeNumber(MIN_PASSAGE_CHARACTERS, MAX_PASSAGE_CHARACTERS, PASSAGE_CHARACTERS),
    'invalid_passage_characters',
    'The most characters of a passage, or half of it in a script without spaces; only with passages=true',
  ),
};

export const frontMatter = field(
  queryBoolean(false),
  'invalid_front_matter',
  'With the format md: YAML for notes before the text (title, channel, published_at, duration, language, source, tags)',
);

export const MAX_EMAIL_LENGTH = 320;

export const emailField = (example: string, whose: string) =>
  field(
    z
      .string()
      .min(1)
      .max(MAX_EMAIL_LENGTH)
      .meta({ examples: [example] }),
    'invalid_email',
    whose,
  );

/** One of few words; the first one is the default. */
export const wordOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .string()
    .default(words[0])
    .pipe(z.enum(words))
    .meta({ enum: [...words] });

const MAX_SKIPPED = 1_000_000;
export const count = z.number().int().nonnegative();

/** Filters of usage, ledger and requests. */
export const causeFields = {
  person_id: field(uuid.optional(), 'person_not_found', 'Only of this person'),
  via: field(keyKind.optional(), 'invalid_via', 'Only by this kind of key'),
};

/** The parameters of a list: `max` rows of a page, at most. */
export const pageFields = (max: number, byDefault: number, maxOffset = MAX_SKIPPED) => ({
  limit: field(wholeNumber(1, max, byDefault), 'invalid_limit', `Items of a page: 1 to ${max}`),
  offset: field(wholeNumber(0, maxOffset, 0), 'invalid_offset', 'Items to skip before the page'),
});

/** Where the page before ended, as its `next` has it. */
export const afterField = (cursor: z.ZodType<string>) =>
  field(
    cursor.optional(),
    'invalid_offset',
    'As in next of the page before: the page begins behind its last item, whatever has come meanwhile; offset does not count then',
  );

/** Of a list that grows while it is read, too: `next` has the cursor of the last item. */
export const growingPageFields = (...[max, byDefault, maxOffset]: Parameters<typeof pageFields>) => ({
  ...pageFields(max, byDefault, maxOffset),
  after: afterField(listCursor),
});

/** The fields of every list beside its rows. */
export const pageBody = {
  limit: count,
  offset: count,
  total: count.describe('Number of items on all pages'),
  has_more: z.boolean(),
  next: z.string().nullable().describe('Relative URL of the next page; null on the last one'),
};

/** A page of a list that is long enough to be compressed. */
export const pageAnswer = <Rows extends z.ZodRawShape>(description: string, id: string, rows: Rows) =>
  ({ ...okAnswer(description, id, { ...rows, ...pageBody }), headers: ['Vary'] }) as const;

/** Such a page, which may be a table. */
export const tableAnswer = <Rows extends z.ZodRawShape>(description: string, id: string, rows: Rows) =>
  ({
    ...pageAnswer(description, id, rows),
    files: ['text/csv'],
    headers: ['Vary', 'Link', 'X-Is-Complete'],
  }) as const;

export const listFormat = field(
  z.enum(['json', 'csv']).optional().meta({ default: 'json' }),
  'invalid_list_format',
  'csv is the page as a table, and the header Link has the address of the next one',
);

/** A uuid in a path; `code` answers an invalid one. */
export const pathId = (what: string, code: ErrorCode) => field(uuid, code, `The id of the ${what}`);

export const jobParams = { id: { ...pathId('job', 'invalid_job_id'), as: 'jobId' } } as const;

/** The wanted language of a transcript, or of those of a job or a monitor. */
export const languageField = (byDefault: string) =>
  field(
    languagePreference
      .default(byDefault)
      .meta({ default: byDefault, examples: ['es', 'pt-BR', 'orig', 'de,en'] }),
    'invalid_language',
    'BCP 47 tag; orig is the language that is spoken. Up to eight with commas: the first that has a track, else a machine translation',
  );

export const language = languageField('en');

export const languageFields = {
  language,
  fallback: field(
    z.boolean().default(true),
    'invalid_fallback',
    'false: only the requested language, no fallback',
  ),
};

/** Of routes for one job, and of those for all. */
export const ofJobs = { access: 'key-or-session', scope: 'jobs' } as const;
export const ofJob = { ...ofJobs, params: jobParams } as const;

/** When who makes a job or a monitor is mailed about it, which have these choices. */
export const mailField = <Choice extends typeof mailChoice | typeof monitorMail>(
  choice: Choice,
  mails: string,
) => field(choice.optional().meta({ default: 'none' }), 'invalid_mail', mails);

export const mailBody = okBody('MailOfWorkResponse', mailOfWork.shape);

/** When the person who asks is mailed about one. */
export const chosenMail = <Choice extends typeof mailChoice | typeof monitorMail>(choice: Choice) =>
  field(choice.nullable(), 'invalid_mail', 'When you are mailed; null: as by default');

/** Whose events alone go to these receivers. */
export const namedReceivers = (what: string) =>
  field(
    receiverIds.optional(),
    'invalid_receivers',
    `The ids of the receivers that alone get the events of ${what}; none: all that are not named_only`,
  );

/** Where events go instead of the webhook of the account. */
export const overrideUrl = (what: string) =>
  field(
    z
      .url({ protocol: /^https?$/ })
      .max(MAX_WEBHOOK_URL_LENGTH)
      .nullish(),
    'invalid_webhook_url',
    `URL for the events of ${what}, instead of the webhook of the account`,
  );

/** Words to search for: 1 to `maxLength` characters between their outer spaces, none of which is a control character. */
export const searchWords = (maxLength: number, example: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength, { abort: true })
    .regex(/^\P{Cc}*$/u)
    .refine((text) => text.isWellFormed())
    .meta({ pattern: undefined, examples: [example] });

/** Words, "phrases" and -exclusions that are looked for in transcripts. */
export const libraryQuery = searchWords(MAX_LIBRARY_QUERY_LENGTH, 'harbour "night shift" -crane');

/** The queries of a monitor. */
export const monitorWords = z
  .array(libraryQuery)
  .max(MAX_WORDS_PER_MONITOR)
  .overwrite((queries) => [...new Set(queries)]);
