import { type WebhookKind, webhookBody, webhookHeaderTexts, webhookKind, webhookKinds } from '@tds/contracts';
import type { Json, Schemas } from './schemas.ts';

const headerParameters = (): Json[] =>
  Object.entries(webhookHeaderTexts).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    required: true,
    schema: { type: 'string' },
  }));

const responses = {
  '2XX': { description: 'The event was accepted. The body of the answer, at most 64 KiB, is ignored' },
  default: {
    description:
      'The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed',
  },
};

/** `job.completed` becomes `JobCompletedEvent`. */
const eventName = (kind: WebhookKind): string =>
  `${kind.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** What customers' servers are sent, kind by kind. */
export const webhookItems = (schemas: Schemas): Json =>
  Object.fromEntries(
    webhookKind.options.map((kind) => [
      kind,
      {
        post: {
          operationId: `on:${kind}`,
          tags: ['Webhooks'],
          summary: `The event ${kind}`,
          description: webhookKinds[kind].when,
          security: [],
          parameters: headerParameters(),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: schemas.output(webhookBody(kind).meta({ id: eventName(kind) })) },
            },
          },
          responses,
        },
      },
    ]),
  );
