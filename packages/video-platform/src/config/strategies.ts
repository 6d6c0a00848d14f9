import { z } from 'zod';
import rows from './strategies.json' with { type: 'json' };

/** In small letters, as undici compares them. The transport makes the others. */
const headerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,59}$/)
  .refine((name) => !/^(?:host|connection|content-length|transfer-encoding|cookie)$/.test(name));

/** A serving strategy: the requests of one of the platform's own clients, as a row of configuration. */
export const strategy = z.object({
  /** Our name of the row, which appears in health, manifests and attempt records. */
  name: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  /** The platform's name of the client. Two rows of one client are one witness, not two. */
  client: z.string().regex(/^[A-Z][A-Z0-9_]{0,59}$/),
  clientNumber: z.number().int().positive(),
  clientVersion: z.string().regex(/^[\x21-\x7e]{1,40}$/),
  /** `player`: InnerTube player; `reel`: the same answer inside the Shorts call; `watch_page`: the HTML page. */
  endpoint: z.enum(['player', 'reel', 'watch_page']),
  headers: z.record(headerName, z.string().regex(/^[\x20-\x7e]{1,1000}$/)),
  /** Further fields of `context.client`, beside name, version, hl and gl. */
  context: z.record(z.string(), z.unknown()),
  gl: z.string().regex(/^[A-Z]{2}$/),
  /** `po_token`: the player call itself needs a token; the row is skipped without a provider. */
  needs: z.enum(['nothing', 'po_token']),
  /** Its answers have the publish date; those of apps do not. */
  hasDate: z.boolean(),
});
export type Strategy = z.infer<typeof strategy>;

/** The platform restricts or switches off its apps together, so only clients of both families confirm each other. */
export const familyOf = ({ client }: Strategy): 'app' | 'web' => (client.includes('WEB') ? 'web' : 'app');

/** Rows in the order of preference, in the form of `PLATFORM_STRATEGIES_FILE`. Versions age: see README, "Updating client versions". */
export const defaultStrategies: readonly Strategy[] = z.array(strategy).parse(rows);
