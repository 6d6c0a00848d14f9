import { z } from 'zod';

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

const row = (
  fields: Pick<Strategy, 'name' | 'client' | 'clientNumber' | 'clientVersion'> & Partial<Strategy>,
) =>
  strategy.parse({
    endpoint: 'player',
    headers: {},
    context: {},
    gl: 'US',
    needs: 'nothing',
    hasDate: false,
    ...fields,
  });

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Rows in the order of preference. Versions age: see README, "Updating client versions". */
export const defaultStrategies: readonly Strategy[] = [
  row({
    name: 'android',
    client: 'ANDROID',
    clientNumber: 3,
    clientVersion: '21.03.36',
    headers: { 'user-agent': 'com.google.android.youtube/21.03.36 (Linux; U; Android 15; US) gzip' },
    context: { osName: 'Android', osVersion: '15', androidSdkVersion: 35, platform: 'MOBILE' },
  }),
  row({
    name: 'visionos',
    client: 'VISIONOS',
    clientNumber: 101,
    clientVersion: '1.02',
    headers: {
      'user-agent':
        'com.google.visionos.youtube/1.02(RealityDevice14,1; U; CPU visionOS 25_6_0 like Mac OS X; US)',
    },
    context: {
      deviceMake: 'Apple',
      deviceModel: 'RealityDevice14,1',
      osName: 'visionOS',
      osVersion: '25.6.0.23O471',
    },
  }),
  row({
    name: 'web',
    client: 'WEB',
    clientNumber: 1,
    clientVersion: '2.20260820.01.00',
    headers: { 'user-agent': BROWSER },
    hasDate: true,
  }),
  row({
    name: 'watch_page',
    client: 'WEB',
    clientNumber: 1,
    clientVersion: '2.20260820.01.00',
    endpoint: 'watch_page',
    headers: { 'user-agent': BROWSER, accept: 'text/html' },
    hasDate: true,
  }),
];
