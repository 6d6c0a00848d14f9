import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createSemaphore } from '@tds/base';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { memoize } from '../domain/memoize.ts';
import type { Answer, GatewayRequest } from '../wire/index.ts';

/** Normal callers send few different Accept-Encoding headers; attackers may send many. */
const REMEMBERED_HEADERS = 200;
const BROTLI_QUALITY = 5;
/** Of what is compressed once and served often. */
const PAGE_QUALITY = 9;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

type Encoding = 'br' | 'gzip';

const encoders: Readonly<Record<Encoding, (body: Buffer, quality?: number) => Promise<Buffer>>> = {
  br: (body, quality = BROTLI_QUALITY) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => zip(body),
};
const preferred: readonly Encoding[] = ['br', 'gzip'];

/** The library's types lack `preferred`: the order among equally acceptable encodings. */
type Negotiates = {
  encoding(
    available: readonly string[],
    options: { preferred: readonly Encoding[] },
  ): Encoding | 'identity' | undefined;
};

const choose = (header: string): Encoding | 'identity' => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as Negotiates;
  return negotiator.encoding([...preferred, 'identity'], { preferred }) ?? 'identity';
};

type Variants = { [E in Encoding]?: Answer | Promise<Answer> };

const getVariants = memoize((_answer: Answer): Variants => ({}));

/** One page at a time: an encoder of its quality takes 32 MiB until the event loop releases it. */
const pageEncoders = createSemaphore(1);

const compress = async (answer: Answer, encoding: Encoding): Promise<Answer> => {
  const plain = Buffer.from(answer.body ?? '');
  const encode = encoders[encoding];
  const body = await (answer.isLasting
    ? pageEncoders.runInTurn(() => encode(plain, PAGE_QUALITY))
    : encode(plain));
  return { ...answer, body, headers: [...(answer.headers ?? []), 'Content-Encoding', encoding] };
};

const addVariant = (answer: Answer, encoding: Encoding): Answer | Promise<Answer> => {
  const variants = getVariants(answer);
  variants[encoding] ??= compress(answer, encoding).then((result) => {
    variants[encoding] = result;
    return result;
  });
  return variants[encoding];
};

/**
 * Compresses an answer as the caller accepts it. The compressed body is kept with its answer, so a cached
 * transcript is compressed once; the result is a promise only the first time.
 */
export const createCompression = () => {
  const encodings = new LRUCache<string, Encoding | 'identity'>({
    max: REMEMBERED_HEADERS,
    memoMethod: choose,
  });
  return (request: Pick<GatewayRequest, 'headers'>, answer: Answer): Answer | Promise<Answer> => {
    if (answer.isCompressible !== true) return answer;
    const acceptEncoding = request.headers['accept-encoding'];
    const encoding = typeof acceptEncoding === 'string' ? encodings.memo(acceptEncoding) : 'identity';
    return encoding === 'identity' ? answer : addVariant(answer, encoding);
  };
};
