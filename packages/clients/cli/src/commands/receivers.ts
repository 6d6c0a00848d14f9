import type { Receiver } from '@transcript-delivery/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';

type Choice = { readonly events: Receiver['events']; readonly namedOnly?: boolean };
type NewReceiver = Choice & { readonly form: Receiver['form']; readonly name: string };
type Change = Partial<Choice & { readonly name: string; readonly url: string; readonly rotateSecret: true }>;

const FORMS: readonly Receiver['form'][] = ['signed', 'slack', 'discord', 'teams'];
const EVENTS: readonly Receiver['events'][number][] = [
  ...(['job.completed', 'job.failed', 'job.paused', 'job.resumed'] as const),
  ...(['credits.low', 'channel.new_videos', 'monitor.words_found'] as const),
];
const HEADS = ['Receiver', 'Name', 'Form', 'State', 'Address', 'Events'];

const toRow = ({ id, name, form, enabled, disabled_reason: reason, url, events }: Receiver) => [
  ...[id, name, form, enabled ? 'enabled' : `disabled: ${reason}`, url, events.join(' ')],
];

const eventsOption = (): Option => new Option('--events <kinds...>', 'which events').choices(EVENTS);
const NAMED_ONLY = ['--named-only', 'only events of jobs and monitors that name it'] as const;

const addChanges = (receivers: Command, context: Context): void => {
  const { signal } = context;
  receivers
    .command('create')
    .description('create a receiver; a signed one prints its secret, once')
    .argument('<url>', 'https address; of a chat the one that it has made')
    .requiredOption('--name <name>', 'by which people know it')
    .addOption(new Option('--form <form>', 'how events are sent').choices(FORMS).default('signed'))
    .addOption(eventsOption().default(['monitor.words_found']))
    .option(...NAMED_ONLY)
    .action(async (url: string, { name, form, events, namedOnly }: NewReceiver) => {
      const body = { url, name, form, events, named_only: namedOnly };
      const made = await context.client().receivers.create(body, { signal });
      context.print(made, made.receiver_secret ?? made.receiver.id);
    });
  receivers
    .command('update')
    .description('change a receiver, and enable it; what is not named stays')
    .argument('<id>')
    .option('--name <name>', 'by which people know it')
    .option('--url <url>', 'another address')
    .addOption(eventsOption())
    .option(...NAMED_ONLY)
    .option('--no-named-only', 'all events that it has chosen')
    .option('--rotate-secret', 'print a new secret, once')
    .action(async (id: string, { namedOnly, rotateSecret, ...change }: Change) => {
      const body = { ...change, named_only: namedOnly, rotate_secret: rotateSecret };
      const changed = await context.client().receivers.update(id, body, { signal });
      if (changed.receiver_secret !== undefined) context.print(changed, changed.receiver_secret);
      else context.printRows(changed, HEADS, [toRow(changed.receiver)]);
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

export const addReceivers = (program: Command, context: Context): void => {
  const { signal } = context;
  const receivers = program.command('receivers').description('further servers and chats that get events');
  addChanges(receivers, context);
  receivers
    .command('list')
    .description('list the receivers')
    .action(async () => {
      const rows = await context.client().receivers.list({ signal });
      context.printRows(rows, HEADS, rows.map(toRow));
    });
  receivers
    .command('get')
    .description('show a receiver')
    .argument('<id>')
    .action(async (id: string) => {
      const receiver = await context.client().receivers.get(id, { signal });
      context.printRows(receiver, HEADS, [toRow(receiver)]);
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
};
