import type { RichTextBlock, RichTextLink, RichTextQuote, RichTextSection, RichTextText } from '@slack/types';
import type { ReceiverForm } from '@tds/contracts';
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10';
import { type Block, type Run, toBlocks } from './chat-blocks.ts';
import { fitText } from './fit-text.ts';
import { eventBody, type WebhookEvent } from './webhook-message.ts';

/** Blocks that together have at most so many UTF-16 units as `write` writes them; one that does not fit ends the message. */
const takeFitting = <Written>(
  blocks: readonly Block[],
  most: number,
  write: (block: Block) => Written,
): Written[] => {
  const taken: Written[] = [];
  let units = 0;
  for (const written of blocks.map(write)) {
    units += JSON.stringify(written).length;
    if (units > most) break;
    taken.push(written);
  }
  return taken;
};

const plain = ({ runs }: Block): string => runs.map(({ text }) => text).join('');

/**
 * Slack: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block. Elements of rich text are no markup, so words of others mention
 * and link nothing. `text` is what notifications and other services show: there `&`, `<` and `>` begin markup.
 */
const SLACK = { blocks: 12_000, text: 3_000 } as const;

const slackElement = ({ text, isBold, url }: Run): RichTextText | RichTextLink => ({
  ...(url === undefined ? { type: 'text', text } : { type: 'link', url, text }),
  ...(isBold && { style: { bold: true } }),
});

const slackBlock = ({ look, runs }: Block): RichTextQuote | RichTextSection => ({
  type: look === 'quote' ? 'rich_text_quote' : 'rich_text_section',
  elements: runs.filter(({ text }) => text !== '').map(slackElement),
});

/** Services that take the form of Slack may read `@` and addresses in it: a word joiner ends both. */
const escapeSlack = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u2060')
    .replaceAll('://', ':\u2060//');

type SlackMessage = { text: string; blocks: RichTextBlock[]; unfurl_links: boolean; unfurl_media: boolean };

const toSlack = (blocks: readonly Block[]): SlackMessage => ({
  text: fitText(blocks.map(plain).join('\n'), SLACK.text, escapeSlack),
  blocks: [{ type: 'rich_text', elements: takeFitting(blocks, SLACK.blocks, slackBlock) }],
  ...{ unfurl_links: false, unfurl_media: false },
});

/**
 * Discord: https://docs.discord.com/developers/resources/message#embed-object-embed-limits. A backslash before a sign of ASCII keeps it as
 * it is: no emphasis, no link, no mention, no address.
 */
const DISCORD = { title: 256, description: 4_096 } as const;

const escapeDiscord = (text: string): string => text.replace(/[!-+\-/:-@[-`{-~]/g, '\\$&');

const discordRun = ({ text, isBold, url }: Run): string => {
  // Blanks between signs and words keep them from being emphasis.
  const words = text.trim();
  if (words === '') return text;
  const at = text.indexOf(words);
  const [before, after] = [text.slice(0, at), text.slice(at + words.length)];
  const escaped = escapeDiscord(words);
  const emphasized = isBold ? `**${escaped}**` : escaped;
  return before + (url === undefined ? emphasized : `[${emphasized}](<${url}>)`) + after;
};

const prefixes: Readonly<Record<Block['look'], string>> = { title: '', text: '', quote: '> ', note: '-# ' };

const toDiscord = ([first, ...rest]: readonly Block[]): RESTPostAPIWebhookWithTokenJSONBody => {
  const [run] = first?.runs ?? [];
  const lines: string[] = [];
  let units = 0;
  for (const { look, runs } of rest) {
    const line = prefixes[look] + runs.map(discordRun).join('');
    units += line.length + 1;
    // Whole lines only: no link, letter or escape is broken.
    if (units > DISCORD.description) break;
    lines.push(line);
  }
  const embed = {
    title: fitText(run?.text ?? '', DISCORD.title, escapeDiscord),
    ...(run?.url !== undefined && { url: run.url }),
    description: lines.join('\n'),
  };
  return { embeds: [embed], allowed_mentions: { parse: [] } };
};

/**
 * Teams: an Adaptive Card in the message that Workflows take, at most 28 KB of UTF-16
 * (https://learn.microsoft.com/en-us/microsoftteams/platform/bots/how-to/format-your-bot-messages). Runs of text are no Markdown.
 */
const TEAMS = { body: 12_000 } as const;

const teamsRun =
  (look: Block['look']) =>
  ({ text, isBold, url }: Run): object => ({
    ...{ type: 'TextRun', text },
    ...(isBold && { weight: 'bolder' }),
    ...(look === 'title' && { size: 'medium' }),
    ...(look === 'note' && { isSubtle: true, size: 'small' }),
    ...(url !== undefined && { selectAction: { type: 'Action.OpenUrl', url } }),
  });

const teamsBlock = ({ look, runs }: Block): object => {
  const inlines = runs.filter(({ text }) => text !== '').map(teamsRun(look));
  const block = { type: 'RichTextBlock', inlines };
  return look === 'quote' ? { type: 'Container', style: 'emphasis', items: [block] } : block;
};

const toTeams = (blocks: readonly Block[]): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        ...{ type: 'AdaptiveCard', version: '1.4' },
        body: takeFitting(blocks, TEAMS.body, teamsBlock),
        msteams: { width: 'Full' },
      },
    },
  ],
});

const messages = { slack: toSlack, discord: toDiscord, teams: toTeams } as const;

/** The body of an event in a form, the same for every attempt. `publicUrl` is where people reach the dashboard. */
export const bodyFor = (form: ReceiverForm, event: WebhookEvent, publicUrl: string | null): string =>
  form === 'signed' ? eventBody(event) : JSON.stringify(messages[form](toBlocks(event, publicUrl)));
