import { type Command, Option } from 'commander';
import { type Context, collect, printable, wholeNumber } from '../context.ts';
import { printMatches } from './monitors.ts';

type Choice = {
  readonly job?: string;
  readonly video?: string;
  readonly language?: string;
  readonly limit?: number;
  readonly csv?: true;
};

const addChoice = (command: Command): Command =>
  command
    .option('--job <id>', 'only what this job delivered')
    .option('--video <id>', 'only transcripts of this video')
    .option('-l, --language <tag>', 'only transcripts in this language')
    .addOption(new Option('--csv', 'all of them as CSV').conflicts('limit'))
    .addOption(new Option('-n, --limit <count>', 'how many').argParser(wholeNumber).default(20));

const toQuery = ({ job, video, language }: Choice) => ({
  ...(job !== undefined && { job_id: job }),
  ...(video !== undefined && { video_id: video }),
  ...(language !== undefined && { language }),
});

/** In the last line of a CSV that lacks something. */
const LACK = /NOT COMPLETE: [^",\r\n]*/;

/** Once for each number, so that a file of notes stays short. */
const noteIndex = (context: Context) => {
  let noted = -1;
  return ({ indexed, transcripts }: { readonly indexed: number; readonly transcripts: number }): void => {
    if (indexed !== noted)
      context.note(`Making your library searchable: ${indexed} of ${transcripts} transcripts`);
    noted = indexed;
  };
};

const printTable = async (context: Context, choice: Choice & { readonly q?: string }): Promise<void> => {
  const { signal, io } = context;
  const { q } = choice;
  const table = await context
    .client()
    .library.csv({ signal, ...toQuery(choice), q, onIndexing: noteIndex(context) });
  io.stdout.write(printable(table));
  const lastLine = table.slice(table.trimEnd().lastIndexOf('\n') + 1);
  const lack = LACK.exec(lastLine)?.[0];
  if (lack) context.note(lack);
};

const addTry = (library: Command, context: Context): void => {
  const { signal } = context;
  library
    .command('try')
    .description('find what a monitor with these words would have found in the ten newest; free')
    .argument('<queries...>', 'words, phrases as in \'"night shift"\', and -exclusions')
    .option('--channel <channel>', 'only in transcripts of this channel')
    .option('--monitor <id>', 'only in those of this monitor')
    .action(async (words: string[], { channel, monitor }: { channel?: string; monitor?: string }) => {
      const body = { words, channel, monitor_id: monitor };
      const found = await context.client().library.tryWords(body, { signal });
      printMatches(context, found, found.matches);
      if (!context.isJson) context.note(`${found.matches.length} matches in ${found.transcripts} transcripts`);
    });
};

export const addLibrary = (program: Command, context: Context): void => {
  const library = program.command('library').description('what you have received, and what is said in it');
  addChoice(library.command('list').description('list transcripts, newest first; free')).action(
    async ({ limit, csv, ...choice }: Choice) => {
      const { signal } = context;
      if (csv) return printTable(context, choice);
      const transcripts = await collect(
        context,
        context.client().library.list({ signal, ...toQuery(choice) }),
        limit,
      );
      const rows = transcripts.map(({ video_id: id, language, translated, received_at: at, title }) => [
        id,
        translated ? `${language} (translated)` : language,
        at,
        title,
      ]);
      context.printRows(transcripts, ['Video', 'Language', 'Received', 'Title'], rows);
    },
  );
  addChoice(
    library
      .command('search')
      .description('find sentences with all words; free. Quote a phrase for the shell: \'"night shift"\'')
      .argument('<words...>'),
  ).action(async (words: string[], { limit, csv, ...choice }: Choice) => {
    const { signal } = context;
    const q = words.join(' ');
    if (csv) return printTable(context, { ...choice, q });
    const pages = context
      .client()
      .library.search(q, { signal, ...toQuery(choice), onIndexing: noteIndex(context) });
    const passages = await collect(context, pages, limit);
    if (passages.length === 0) return context.printRows(passages, [], []);
    context.print(
      passages,
      passages
        .map(
          ({ url, title, translated, text, match }) =>
            `${url}  ${title ?? ''}${translated ? ' (translated)' : ''}\n${match.sentence ?? text}`,
        )
        .join('\n\n'),
    );
  });
  addTry(library, context);
};
