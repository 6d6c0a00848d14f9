import type { Link } from '@transcript-delivery/sdk';
import { type Command, Option } from 'commander';
import { type Context, second, wholeNumber } from '../context.ts';

type Choice = {
  readonly language?: string;
  readonly start?: number;
  readonly end?: number;
  readonly days?: number;
};

const HEADS = ['Link', 'Ends', 'Opens', 'Title', 'Address'];
const toRow = ({ id, ends_at: endsAt, opens, title, video_id: video, url }: Link) => [
  ...[id, endsAt, String(opens), title ?? video, url],
];

export const addLinks = (program: Command, context: Context): void => {
  const { signal } = context;
  const links = program.command('links').description('what you hand on to people without an account');
  links
    .command('create')
    .description('hand on a transcript that you have received, or a quote of it; free')
    .argument('<video>', 'id or address')
    .option('-l, --language <tag>', 'the one in this language')
    .addOption(new Option('--start <second>', 'where a quote begins').argParser(second))
    .addOption(new Option('--end <second>', 'where it ends').argParser(second))
    .addOption(new Option('--days <count>', 'after how many it ends, 30 by default').argParser(wholeNumber))
    .action(async (input: string, choice: Choice) => {
      const link = await context.client().links.create({ input, ...choice }, { signal });
      context.print(link, link.url);
    });
  links
    .command('list')
    .description('list live links with their ends, and how often they were read')
    .action(async () => {
      const rows = await context.client().links.list({ signal });
      context.printRows(rows, HEADS, rows.map(toRow));
    });
  links
    .command('end')
    .description('take a link back, at once and for ever')
    .argument('<id>')
    .action(async (id: string) => {
      const link = await context.client().links.end(id, { signal });
      context.printRows(link, HEADS, [toRow(link)]);
    });
};
