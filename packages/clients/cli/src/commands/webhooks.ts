import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError } from '@transcript-delivery/sdk';
import type { Command } from 'commander';
import { type Context, collect, printable, printableJson, wholeNumber } from '../context.ts';

const LOCALHOST = '127.0.0.1';
const MAX_BODY_BYTES = 1_048_576;
const BY_DEFAULT = 20;

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new WebhookVerificationError('The body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Answers 204 to verified events and prints them, and 400 to everything else, until the signal is aborted. */
const listen = async (context: Context, port: number, secrets: readonly string[]): Promise<void> => {
  const server = createServer(async (request, response) => {
    try {
      const event = await verifyWebhook(await readBody(request), request.headers, secrets);
      const line = context.isJson
        ? printableJson(event)
        : printable(`${event.created_at} ${event.type} ${event.id}`);
      context.io.stdout.write(`${line}\n`);
      response.writeHead(204).end();
    } catch (error) {
      context.note(`refused: ${error instanceof Error ? error.message : error}`);
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, LOCALHOST, resolve);
  });
  const { port: boundPort } = server.address() as AddressInfo;
  context.note(
    `Listening on http://${LOCALHOST}:${boundPort}. The service sends to public https only: put a tunnel before it and set its address.`,
  );
  await new Promise<void>((resolve) => {
    context.signal.addEventListener('abort', () => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  });
};

export const addWebhooks = (program: Command, context: Context): void => {
  const { signal } = context;
  const webhooks = program.command('webhooks').description('events of the account');
  webhooks
    .command('listen')
    .description('receive events on this machine, verify and print them')
    .option('--port <port>', 'port on this machine', wholeNumber, 4949)
    .option(
      '--secret <secrets...>',
      'secret of the webhook, several while it is rotated (default: TRANSCRIPTS_WEBHOOK_SECRET)',
    )
    .action(async ({ port, secret }: { port: number; secret?: string[] }, command: Command) => {
      const secrets = secret ?? [context.io.env.TRANSCRIPTS_WEBHOOK_SECRET ?? ''];
      if (!secrets.some(Boolean)) command.error('give --secret, or set TRANSCRIPTS_WEBHOOK_SECRET');
      await listen(context, port, secrets);
    });
  webhooks
    .command('test')
    .description('send a webhook.test event to the webhook of the account')
    .action(async () => {
      const delivery = await context.client().webhooks.test({ signal });
      context.print(delivery, `${delivery.id} is on its way`);
    });
  webhooks
    .command('deliveries')
    .description('list the deliveries of the last 30 days, newest first')
    .option('-n, --limit <count>', 'how many', wholeNumber, BY_DEFAULT)
    .action(async ({ limit }: { limit: number }) => {
      const rows = await collect(context, context.client().webhooks.deliveries({ signal }), limit);
      const cells = rows.map(({ id, event, status, created_at: at }) => [id, event, status, at]);
      context.printRows(rows, ['Delivery', 'Event', 'State', 'Time'], cells);
    });
};
