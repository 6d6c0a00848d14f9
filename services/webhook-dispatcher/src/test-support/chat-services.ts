import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { embedLength } from '@discordjs/builders';

/*
 * The hooks of three chat services, with their documented limits and answers:
 * Slack https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and reference/block-kit/blocks,
 * Discord https://docs.discord.com/developers/resources/webhook#execute-webhook and topics/rate-limits,
 * Teams https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook.
 */

// Its modules name each other without their endings, which Node finds only as CommonJS.
const { AdaptiveCard, SerializationContext } = createRequire(import.meta.url)(
  'adaptivecards/dist/adaptivecards.js',
) as typeof import('adaptivecards');

type Form = 'slack' | 'discord' | 'teams';
/** What a hook does with one message: takes it, names a limit of so many seconds, has ended, is out of order, or answers an error in a 200. */
export type ChatBehaviour = 'take' | 'gone' | 'broken' | 'refuse' | { readonly limitSeconds: number };
// biome-ignore lint/suspicious/noExplicitAny: a body of a customer.
type Body = any;

const SLACK = { blocks: 50, text: 40_000, elementText: 3_000, url: 3_000 };
/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const DISCORD = { embeds: 10, title: 256, description: 4_096, total: 6_000 };
/** 28 KB, which it counts in UTF-16. */
const TEAMS_BYTES = 28 * 1_024;

const slackFaults = ({ text: fallback, blocks = [] }: Body): string[] => {
  const sections: Body[] = blocks.flatMap((block: Body) => block.elements ?? []);
  const elements: Body[] = sections.flatMap((section) => section.elements ?? []);
  const styles = elements.flatMap(({ style = {} }) => Object.keys(style));
  return [
    ...(typeof fallback === 'string' && fallback.length <= SLACK.text ? [] : ['text']),
    ...(/<(?!https:)|[^\\](?=>)>/.test(fallback) ? ['markup in text'] : []),
    ...(blocks.length <= SLACK.blocks ? [] : ['too many blocks']),
    ...(blocks.every(({ type }: Body) => type === 'rich_text') ? [] : ['unknown block']),
    ...(sections.every(({ type }) => ['rich_text_section', 'rich_text_quote'].includes(type))
      ? []
      : ['section']),
    ...(sections.every((section) => section.elements.length > 0) ? [] : ['empty section']),
    ...(elements.every(({ type }) => ['text', 'link'].includes(type)) ? [] : ['unknown element']),
    ...(elements.every((one) => one.text !== '' && one.text.length <= SLACK.elementText) ? [] : ['element']),
    ...(elements.every(({ url = '' }) => url.length <= SLACK.url) ? [] : ['url']),
    ...(styles.every((style) => ['bold', 'italic', 'strike', 'code'].includes(style)) ? [] : ['style']),
  ];
};

const discordFaults = ({ content = '', embeds = [], allowed_mentions: mentions }: Body): string[] => [
  ...(embeds.length > 0 && embeds.length <= DISCORD.embeds && content === '' ? [] : ['embeds']),
  ...(Array.isArray(mentions?.parse) && mentions.parse.length === 0 ? [] : ['mentions']),
  ...(embeds.every((one: Body) => one.title.length > 0 && one.title.length <= DISCORD.title) ? [] : ['title']),
  ...(embeds.every((one: Body) => one.description.length <= DISCORD.description) ? [] : ['description']),
  ...(embeds.reduce((sum: number, one: Body) => sum + embedLength(one), 0) <= DISCORD.total ? [] : ['total']),
];

/** What the services' own renderer of cards finds wrong with a card. */
export const cardFaults = (content: Body): string[] => {
  const context = new SerializationContext();
  const card = new AdaptiveCard();
  card.parse(content, context);
  const events = Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at).message);
  const validated = card.validateProperties().validationEvents.map(({ message }) => message);
  return [...events, ...validated];
};

const teamsFaults = (body: Body): string[] => {
  const [attachment] = body.attachments ?? [];
  const isCard = attachment?.contentType === 'application/vnd.microsoft.card.adaptive';
  return [
    ...(body.type === 'message' && body.attachments?.length === 1 && isCard ? [] : ['message']),
    ...(Buffer.byteLength(JSON.stringify(body), 'utf16le') <= TEAMS_BYTES ? [] : ['too large']),
    ...(isCard ? cardFaults(attachment.content) : []),
  ];
};

const faultsOf = { slack: slackFaults, discord: discordFaults, teams: teamsFaults };

type Answer = readonly [status: number, body: string, headers?: Record<string, string>];
const json = (status: number, body: object, headers = {}): Answer => [status, JSON.stringify(body), headers];

const answers: Readonly<
  Record<Form, Record<'take' | 'gone' | 'broken' | 'refuse' | 'invalid', Answer> & { limit(s: number): Answer }>
> = {
  slack: {
    take: [200, 'ok'],
    gone: [404, 'no_service'],
    broken: [500, 'rollup_error'],
    refuse: [200, 'not ok'],
    invalid: [400, 'invalid_blocks'],
    limit: (seconds) => [429, 'rate_limited', { 'retry-after': String(seconds) }],
  },
  discord: {
    take: [204, ''],
    gone: json(404, { message: 'Unknown Webhook', code: 10_015 }),
    broken: json(502, { message: '502: Bad Gateway', code: 0 }),
    // It answers no error in a 200.
    refuse: json(404, { message: 'Unknown Channel', code: 10_003 }),
    invalid: json(400, { embeds: ['0'] }),
    limit: (seconds) =>
      json(429, { message: 'You are being rate limited.', retry_after: seconds, global: false }),
  },
  teams: {
    take: [202, ''],
    gone: json(404, { error: { code: 'WorkflowNotFound' } }),
    broken: [502, 'bad gateway'],
    refuse: [
      200,
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with x',
    ],
    invalid: json(400, { error: { code: 'TriggerInputSchemaMismatch' } }),
    limit: () => [
      200,
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with x',
    ],
  },
};

type Message = { readonly path: string; readonly body: Body; readonly faults: string[] };

/** A server with hooks at `/slack/...`, `/discord/...` and `/teams/...`, each path with a script of its own; its last behaviour stays. */
export const startChatServices = async () => {
  const scripts = new Map<string, ChatBehaviour[]>();
  const messages: Message[] = [];
  const next = (path: string): ChatBehaviour => {
    const script = scripts.get(path) ?? [];
    return (script.length > 1 ? script.shift() : script[0]) ?? 'take';
  };
  const answer = (form: Form, behaviour: ChatBehaviour, isValid: boolean): Answer => {
    if (behaviour === 'take') return answers[form][isValid ? 'take' : 'invalid'];
    return typeof behaviour === 'string'
      ? answers[form][behaviour]
      : answers[form].limit(behaviour.limitSeconds);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const form = path.split('/')[1] as Form;
    const body = JSON.parse(await text(request));
    const isJson = /^application\/json\b.*charset=utf-8/.test(request.headers['content-type'] ?? '');
    const faults = [...(isJson ? [] : ['content type']), ...faultsOf[form](body)];
    messages.push({ path, body, faults });
    const [status, said, headers] = answer(form, next(path), faults.length === 0);
    response.writeHead(status, headers).end(said);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The address of a new hook. */
    hook(form: Form, ...script: ChatBehaviour[]): string {
      const path = `/${form}/${crypto.randomUUID()}`;
      scripts.set(path, script);
      return origin + path;
    },
    /** Oldest first. */
    received: (url: string): readonly Message[] =>
      messages.filter(({ path }) => path === new URL(url).pathname),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
export type ChatServices = Awaited<ReturnType<typeof startChatServices>>;
