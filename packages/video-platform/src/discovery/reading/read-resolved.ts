import { channelId } from '@tds/contracts';
import { broken, RefusedAnswer, refusal } from '../../classification/refusal.ts';
import { verdicts } from '../../classification/verdict.ts';
import { parseAnswer } from '../../parse-answer.ts';
import { inside } from './inside.ts';
import { stringAt } from './values.ts';

/** What an address leads to: a channel, or another address to ask about. */
export type Resolved = { readonly channelId: string } | { readonly url: string };

/** Throws `source_not_found` if the address belongs to the platform and to no channel. */
export const readResolved = (body: string): Resolved => {
  const answer: unknown = parseAnswer(body);
  const endpoint = inside(answer, 'endpoint');
  if (typeof endpoint !== 'object' || endpoint === null) throw new RefusedAnswer(broken('no_endpoint'));
  const found = channelId.safeParse(inside(endpoint, 'browseEndpoint', 'browseId'));
  if (found.success) return { channelId: found.data };
  const url = stringAt(endpoint, 'urlEndpoint', 'url');
  if (url !== null) return { url };
  throw new RefusedAnswer(refusal('no_channel', verdicts.sourceGone));
};
