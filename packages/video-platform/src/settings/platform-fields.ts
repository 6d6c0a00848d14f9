import { isIP } from 'node:net';
import { commaSeparated, confidential, durationMs, wholeNumber } from '@tds/base';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { bytesPerDay } from '../budget.ts';
import { defaultLimits } from '../config/limits.ts';
import { isRotating, toExits } from '../transport/index.ts';

/** The real platform, whose addresses block an address that asks too fast. */
const REAL_HOST = /(?:^|\.)youtube\.com$/;
const REQUESTS_PER_MINUTE = 60;

const PROXY = /^(?:https?|socks5):$/;

/** What SOCKS 5 carries of a name and of a password. */
const MAX_SOCKS_BYTES = 255;

/** The `user` of HTTP's `user:password` ends at the first colon. */
const isSendable = ({ protocol, username, password }: URL): boolean => {
  try {
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    if (protocol !== 'socks5:') return !user.includes(':');
    return [user, secret].every((part) => Buffer.byteLength(part) <= MAX_SOCKS_BYTES);
  } catch {
    // A bare %, or bytes that are no UTF-8.
    return false;
  }
};

const isProxy = (text: string): boolean => {
  // A template is no valid part of a URL everywhere.
  const url = URL.parse(text.replaceAll('{session}', 'sessions').replace(/^rotating\+/, ''));
  if (url === null || url.hostname === '' || url.port === '0' || !PROXY.test(url.protocol)) return false;
  // A slash or the like in a password would end the host's part of the URL.
  return isSendable(url) && /^\/?$/.test(`${url.pathname}${url.search}${url.hash}`);
};

const isSourceAddress = (text: string): boolean => isIP(text) !== 0 || ipaddr.isValidCIDR(text);

/** Percent of the day's proxied bytes by what they are for: together all, so that a day costs what is set, whoever asks. */
const bytePercents = { transcripts: 70, search: 15, monitors: 15 };
export type ProxiedWork = keyof typeof bytePercents;

const BYTES_PER_DAY = 14_000_000_000;
const bytes = z.coerce.number().int().nonnegative();
const toShare = (work: ProxiedWork) => (total: number) => Math.floor((total * bytePercents[work]) / 100);

/** Settings of a service that asks the platform for this work. */
export const platformFields = (work: ProxiedWork) => ({
  /** Scheme and host of the video platform, or of its simulator. */
  PLATFORM_ORIGIN: z.url().default('https://www.youtube.com'),
  /** Proxies to the platform, separated by commas; without any, requests leave directly. See `docs/first-day.md`. */
  PLATFORM_PROXY_URLS: confidential(
    commaSeparated()
      .prefault('')
      .pipe(
        z.array(
          z
            .string()
            .refine(
              isProxy,
              'expected proxies such as http://user:password@host:port, with https, socks5, {session} or rotating+; in a password write %25 for %, %40 for @, %2F for /',
            ),
        ),
      ),
  ),
  /** Own addresses, or prefixes of which each session takes one at random. */
  PLATFORM_SOURCE_ADDRESSES: commaSeparated()
    .prefault('')
    .pipe(z.array(z.string().refine(isSourceAddress, 'expected addresses, or prefixes such as 2001:db8::/64'))),
  /** Requests a minute of one address, from each instance; by default 60 on the real platform, and no limit elsewhere. */
  PLATFORM_REQUESTS_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000 }).optional(),
  /** A session of a rotating exit ends after so many requests, or after so long. */
  PLATFORM_SESSION_REQUESTS: wholeNumber({ min: 1, max: 1_000_000 }).default(defaultLimits.requestsPerSession),
  PLATFORM_SESSION_TIME: durationMs().default(defaultLimits.sessionMs),
  /** A JSON file with the rows of `config/strategies.json`, in their place; read again at each change. */
  PLATFORM_STRATEGIES_FILE: z.string().optional(),
  /** Bytes per UTC day through all proxies, for all services that ask the platform; this one has its share. */
  PLATFORM_PROXY_BYTES_PER_DAY: bytes.default(BYTES_PER_DAY).transform(toShare(work)),
  /** The most of these for one account; the default is a quarter. */
  PLATFORM_PROXY_BYTES_PER_ACCOUNT: bytes.transform(toShare(work)).optional(),
});

const schema = z.object(platformFields('transcripts'));

/** What `createVideoPlatform` and `createDiscovery` take of the settings. */
export const readPlatformSettings = (fields: z.output<typeof schema>) => {
  const exits = toExits({
    sourceAddresses: fields.PLATFORM_SOURCE_ADDRESSES,
    proxyUrls: fields.PLATFORM_PROXY_URLS,
  });
  const isReal = REAL_HOST.test(new URL(fields.PLATFORM_ORIGIN).hostname);
  const requestsPerMinute =
    fields.PLATFORM_REQUESTS_PER_MINUTE ?? (isReal ? REQUESTS_PER_MINUTE : defaultLimits.requestsPerMinute);
  return {
    origin: fields.PLATFORM_ORIGIN,
    exits,
    limits: {
      requestsPerMinute,
      requestsPerSession: fields.PLATFORM_SESSION_REQUESTS,
      sessionMs: fields.PLATFORM_SESSION_TIME,
    },
    proxyBytes: bytesPerDay(fields.PLATFORM_PROXY_BYTES_PER_DAY, fields.PLATFORM_PROXY_BYTES_PER_ACCOUNT),
    /** For `openStrategies`. */
    strategiesFile: fields.PLATFORM_STRATEGIES_FILE,
    /** The real platform, and not a simulator of it. */
    isReal,
    /** Addresses that the platform may block; null if a rotating exit has more than can be counted, or no pace is set. */
    pacedAddresses: isReal && !exits.some(isRotating) ? exits.length : null,
  };
};
export type PlatformSettings = ReturnType<typeof readPlatformSettings>;
