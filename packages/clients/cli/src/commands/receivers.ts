import type { Receiver } from '@transcript-delivery/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';

type NewReceiver = {
  readonly form: Receiver['form'];
  readonly name: string;
  readonly events: Receiver['events'];
};

const FORMS: readonly Receiver['form'][] = ['signed', 'slack', 'discord', 'teams'];
const EVENTS: readonly Receiver['events'][number][] = [
  ...(['job.completed', 'job.failed', 'job.paused', 'job.resumed'] as const),
  ...(['credits.low', 'channel.new_videos', 'monitor.words_found'] as const),
];
const HEADS = ['Receiver', 'Name', 'Form', 'State', 'Address', 'Events'];

const toRow = ({ id, name, form, enabled, disabled_reason: reason, url, events }: Receiver) => [
  ...[id, name, form, enabled ? 'enabled' : `disabled: ${reason}`, url, events.join(' ')],
];

export const addReceivers = (program: Command, context: Context): void => {
  const { signal } = context;
  const receivers = program.command('receivers').description('further servers and chats that get events');
  receivers
    .command('create')
    .description('create a receiver; a signed one prints its secret, once')
    .argument('<url>', 'https address; of a chat the one that it has made')
    .requiredOption('--name <name>', 'by which people know it')
    .addOption(new Option('--form <form>', 'how events are sent').choices(FORMS).default('signed'))
    .addOption(
      new Option('--events <kinds...>', 'which events').choices(EVENTS).default(['monitor.words_found']),
    )
    .action(async (url: string, { name, form, events }: NewReceiver) => {
      const made = await context.client().receivers.create({ url, name, form, events }, { signal });
      context.print(made, made.receiver_secret ?? made.receiver.id);
    });
  receivers
    .command('list')
    .description('list the receivers')
    .action(async () => {
      const rows = await context.client().receivers.list({ signal });
      context.printRows(rows, HEADS, rows.map(toRow));
    });
  receivers
    .command('test')
    .description('send a test to a receiver')
    .argument('<id>')
    .action(async (id: string) => {
      const delivery = await context.client().receivers.test(id, { signal });
      context.print(delivery, `${delivery.id} is on its way`);
    });
  receivers
    .command('replay')
    .description('send again what a receiver has not taken since a time')
    .argument('<id>')
    .requiredOption('--since <time>', 'such as 2026-01-15T12:00:00Z')
    .action(async (id: string, { since }: { since: string }, command: Command) => {
      if (Number.isNaN(Date.parse(since))) command.error('--since is a time, such as 2026-01-15T12:00:00Z');
      const replay = await context.client().receivers.replay(id, since, { signal });
      context.print(replay, `${replay.replayed} are sent again${replay.is_complete ? '' : '; there are more'}`);
    });
  receivers
    .command('delete')
    .description('delete a receiver')
    .argument('<id>')
    .action(async (id: string) => {
      await context.client().receivers.delete(id, { signal });
      context.print({ deleted: true }, `${id} is deleted`);
    });
};
