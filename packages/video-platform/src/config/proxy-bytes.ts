import { z } from 'zod';
import type { BytesPerDay } from '../sql-byte-budget.ts';

const bytes = z.coerce.number().int().nonnegative();

/** Settings of a service that reads through proxies for accounts, and what it may read of a UTC day unless it is told. */
export const proxyByteFields = (perDay: number) => ({
  /** Bytes per UTC day that all proxies together may read for this service. */
  PLATFORM_PROXY_BYTES_PER_DAY: bytes.default(perDay),
  /** Of these, what may be read for one account; the default is a quarter. */
  PLATFORM_PROXY_BYTES_PER_ACCOUNT: bytes.optional(),
});

const ACCOUNTS_THAT_SPEND_ALL = 4;

type Given = {
  readonly PLATFORM_PROXY_BYTES_PER_DAY: number;
  readonly PLATFORM_PROXY_BYTES_PER_ACCOUNT?: number | undefined;
};

/** As a byte budget takes them. */
export const proxyBytesOf = (given: Given): BytesPerDay => {
  const { PLATFORM_PROXY_BYTES_PER_DAY: ofAll, PLATFORM_PROXY_BYTES_PER_ACCOUNT: ofAccount } = given;
  return { ofAll, ofCaller: ofAccount ?? Math.floor(ofAll / ACCOUNTS_THAT_SPEND_ALL) };
};
