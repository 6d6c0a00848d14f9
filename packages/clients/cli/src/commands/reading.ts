import { writeFile } from 'node:fs/promises';
import type { SearchOptions, Transcript, TranscriptFormat } from '@transcript-delivery/sdk';
import { type Command, Option } from 'commander';
import { type Context, collect, table, wholeNumber } from '../context.ts';

export const FORMATS = ['json', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;

export const formatOption = (description: string): Option =>
  new Option('-f, --format <format>', description).choices(FORMATS);
export const languageOptions = (command: Command): Command =>
  command
    .option(
      '-l, --language <tags>',
      'language, as in pt-BR, orig for the spoken one, or several: de,en (default: orig)',
    )
    .option('--no-fallback', 'only this language, or an error');

const SPOKEN = 'orig';

/** What is spoken unless a language is chosen. `fallback` is sent only if it was given: the default is the service's. */
export const toLanguageQuery = ({ language = SPOKEN, fallback }: LanguageChoice): LanguageChoice => ({
  language,
  ...(fallback === false && { fallback }),
});
export type LanguageChoice = { readonly language?: string; readonly fallback?: boolean };

/** Before many are bought. */
export const noteTranslations = (context: Context, { language = SPOKEN }: LanguageChoice): void => {
  if (!context.isJson && !language.split(',').includes(SPOKEN))
    context.note(`What has no captions in ${language} is translated by machine; without --language it is not.`);
};

/** If the transcript is not in the words that were wanted. */
const noteLanguage = (context: Context, { language }: Pick<Transcript, 'language'>): void => {
  const { requested, delivered, kind, fallback, translation } = language;
  if (context.isJson || (translation === 'not_requested' && !fallback)) return;
  const spoken = kind === 'manual' ? "the author's captions" : 'the platform names no spoken language';
  const reason = requested === SPOKEN ? spoken : `${requested} is not there`;
  context.note(translation === 'served' ? `${delivered}, translated by machine` : `${delivered}: ${reason}`);
};

type TranscriptChoice = LanguageChoice & {
  readonly format?: TranscriptFormat;
  readonly words?: true;
  readonly refresh?: true;
  readonly frontMatter?: true;
  readonly output?: string;
  /** The most characters of a passage; true: the service's default. */
  readonly passages?: number | true;
};

const toPassageQuery = (passages: TranscriptChoice['passages']) => ({
  ...(passages !== undefined && { passages: true }),
  ...(typeof passages === 'number' && { passage_characters: passages }),
});

const addTranscript = (program: Command, context: Context): void => {
  const command = program
    .command('transcript')
    .description('print the transcript of a video; a cached one costs nothing, a fetched one a credit')
    .argument('<video>', 'id or address')
    .addOption(formatOption('format (default: clean, with --json: json)'))
    .option('-p, --passages [characters]', 'json: passages of at most so many characters (700)', wholeNumber)
    .option('--words', 'json: the times of recognised words')
    .option('--front-matter', 'md: YAML for notes before the text')
    .option('--refresh', 'ask the platform for later captions, for a credit')
    .option('-o, --output <file>', 'write it to a file');
  languageOptions(command).action(async (video: string, options: TranscriptChoice) => {
    const { format, output, passages, words, refresh, frontMatter, ...choice } = options;
    const isJson = context.isJson || passages !== undefined || words === true;
    const client = context.client();
    const { signal } = context;
    const transcript = await client.transcripts.get(video, {
      signal,
      format: format ?? (isJson ? 'json' : frontMatter ? 'md' : 'clean'),
      ...toLanguageQuery(choice),
      ...toPassageQuery(passages),
      ...(words && { words }),
      ...(refresh && { refresh }),
      ...(frontMatter && { front_matter: true }),
    });
    context.noteCost(transcript.meta);
    noteLanguage(context, transcript);
    const text =
      'text' in transcript ? transcript.text : JSON.stringify(transcript.passages ?? transcript.cues);
    if (output === undefined) return context.print(transcript, text.trimEnd());
    await writeFile(output, text);
    const { language, meta } = transcript;
    context.print({ ok: true, file: output, language, meta }, output);
  });
};

const addLanguages = (program: Command, context: Context): void => {
  program
    .command('languages')
    .description('list the languages of a video; free')
    .argument('<video>', 'id or address')
    .action(async (video: string) => {
      const languages = await context.client().videos.languages(video, { signal: context.signal });
      const rows = languages.tracks.map(({ language_code: code, kind, name }) => [code, kind, name]);
      context.print(languages, `${table(rows)}\noriginal: ${languages.original_language ?? 'unknown'}`);
    });
};

const CITATION_FORMATS = ['apa', 'bibtex', 'ris', 'csl-json'] as const;
type CitationChoice = { readonly format?: (typeof CITATION_FORMATS)[number]; readonly at?: number };

const addCitation = (program: Command, context: Context): void => {
  program
    .command('cite')
    .description('print a reference to a video, or to a second of it; free')
    .argument('<video>', 'id or address')
    .addOption(new Option('-f, --format <format>', 'format (default: apa)').choices(CITATION_FORMATS))
    .option('--at <second>', 'a second of the video', wholeNumber)
    .action(async (video: string, choice: CitationChoice) => {
      const citation = await context.client().videos.cite(video, { ...choice, signal: context.signal });
      context.print({ citation }, citation.trimEnd());
    });
};

export const contentsOption = (): Option =>
  new Option('--contents <kind>', 'which videos of a channel').choices(['all', 'videos', 'shorts', 'streams']);

const addVideos = (program: Command, context: Context): void => {
  program
    .command('videos')
    .description('list the videos of a channel, a playlist or a list:<key>; free')
    .argument('<source>', 'address, handle or id')
    .addOption(contentsOption())
    .option('-n, --limit <count>', 'how many', wholeNumber)
    .action(async (source: string, { contents, limit }: { contents?: 'all'; limit?: number }) => {
      const { signal } = context;
      const pages = context.client().videos.list(source, { signal, ...(contents && { contents }) });
      const videos = await collect(context, pages, limit);
      const rows = videos.map((video) => [
        video.video_id,
        video.published_at,
        video.cached ? 'cached' : '-',
        video.title,
      ]);
      context.printRows(videos, ['Video', 'Published', 'Cached', 'Title'], rows);
    });
};

const addSearch = (program: Command, context: Context): void => {
  program
    .command('search')
    .description('search videos, channels or playlists; each page costs a credit')
    .argument('<words...>')
    .addOption(new Option('--type <type>', 'what to find').choices(['video', 'channel', 'playlist']))
    .option('--channel <channel>', 'inside this channel')
    .option('--pages <count>', 'how many pages', wholeNumber, 1)
    .action(async (words: string[], { pages, ...choice }: SearchOptions & { pages: number }) => {
      const search = context.client().search(words.join(' '), { ...choice, signal: context.signal });
      const results = (await collect(context, search.pages(), pages)).flatMap((page) => page.results);
      const rows = results.map((result) => [
        result.video_id ?? result.playlist_id ?? result.channel_id,
        result.channel_title,
        result.title,
      ]);
      context.printRows(results, ['Id', 'Channel', 'Title'], rows);
    });
};

export const addReading = (program: Command, context: Context): void => {
  addTranscript(program, context);
  addLanguages(program, context);
  addCitation(program, context);
  addVideos(program, context);
  addSearch(program, context);
};
