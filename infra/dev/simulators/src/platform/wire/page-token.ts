import { z } from 'zod';

const tokenSchema = z.object({
  kind: z.enum(['list', 'search']),
  /** What it goes on with: a playlist id, or a search as JSON. */
  of: z.string(),
  from: z.number().int().nonnegative(),
  /** Real tokens are long; a reader must have room for them. */
  padding: z.string(),
});
export type PageToken = Omit<z.infer<typeof tokenSchema>, 'padding'>;

const PADDING = 'x'.repeat(300);
const ESCAPED_END = '%3D';

/** Opaque, of the characters of real tokens, with the escaped ends that they have. */
export const writeToken = (token: PageToken): string =>
  `${Buffer.from(JSON.stringify({ ...token, padding: PADDING })).toString('base64url')}${ESCAPED_END}`;

/** Undefined for a token that was not written here. */
export const readToken = (text: string): PageToken | undefined => {
  try {
    const plain = Buffer.from(text.replace(ESCAPED_END, ''), 'base64url').toString();
    return tokenSchema.safeParse(JSON.parse(plain)).data;
  } catch {
    // No token of ours: refused as the platform refuses it.
    return undefined;
  }
};

/** The entry at the end of a list that leads to the page after. */
export const continuationItem = (token: PageToken) => ({
  continuationItemRenderer: {
    trigger: 'CONTINUATION_TRIGGER_ON_ITEM_SHOWN',
    continuationEndpoint: {
      continuationCommand: { token: writeToken(token), request: 'CONTINUATION_REQUEST_TYPE_BROWSE' },
    },
  },
});
