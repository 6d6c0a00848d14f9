import type { LoggedRequest } from '@transcript-delivery/sdk';
import type { Command } from 'commander';
import { type Context, collect, wholeNumber } from '../context.ts';

const BY_DEFAULT = 20;

type Choice = {
  readonly failed?: true;
  readonly code?: string;
  readonly key?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
};

const toRow = (request: LoggedRequest) => [
  request.request_id,
  request.created_at,
  request.route,
  request.code ?? request.status,
  `${request.credits_charged} charged`,
  `${request.duration_ms} ms`,
  request.job_id ?? request.video_id,
];

const HEADS = ['Request', 'Time', 'Route', 'Answer', 'Credits', 'Took', 'Job or video'];

export const addRequests = (program: Command, context: Context): void => {
  const { signal } = context;
  const requests = program.command('requests').description('what was charged or failed in seven days');
  requests
    .command('list')
    .description('list requests, newest first')
    .option('--failed', 'only with an error')
    .option('--code <code>', 'only with this error code')
    .option('--key <id>', 'only with this key')
    .option('--from <day>', 'first UTC day, YYYY-MM-DD')
    .option('--to <day>', 'last UTC day')
    .option('-n, --limit <count>', 'how many', wholeNumber, BY_DEFAULT)
    .action(async ({ limit, key, ...filter }: Choice) => {
      const query = { ...filter, ...(key !== undefined && { key_id: key }) };
      const rows = await collect(context, context.client().requests.list({ ...query, signal }), limit);
      context.printRows(rows, HEADS, rows.map(toRow));
    });
  requests
    .command('get')
    .description('show the request with an id, such as that of an error')
    .argument('<id>')
    .action(async (id: string) => {
      const request = await context.client().requests.get(id, { signal });
      context.printRows(request, HEADS, [toRow(request)]);
    });
};
