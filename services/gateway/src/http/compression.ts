import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { memoize } from '../memoize.ts';
import type { Answer } from './answer.ts';
import type { GatewayRequest } from './exchange.ts';

/** Below this a packet is saved by nobody. */
const SMALLEST_BYTES = 1_400;
/** Callers send few different headers; strangers may send many. */
const REMEMBERED_HEADERS = 200;
const BROTLI_QUALITY = 5;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

type Encoding = 'br' | 'gzip';

const encoders: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => zip(body),
};
const preferred: readonly Encoding[] = ['br', 'gzip'];

/** Allows an answer to be compressed if it is large enough. Never for one that shows a secret (BREACH). */
export const compressible = <A extends Answer & { readonly body: Buffer | string }>(answer: A): A =>
  Buffer.byteLength(answer.body) < SMALLEST_BYTES
    ? answer
    : {
        ...answer,
        isCompressible: true,
        headers: [...(answer.headers ?? []), 'Vary', 'Accept-Encoding'],
      };

/** The library's types lack its `preferred`: what to take of what the caller likes equally. */
type Negotiates = {
  encoding(
    available: readonly string[],
    options: { preferred: readonly Encoding[] },
  ): Encoding | 'identity' | undefined;
};

const createChoice = (): ((header: string) => Encoding | null) => {
  const known = new LRUCache<string, Encoding | 'identity'>({ max: REMEMBERED_HEADERS });
  return (header) => {
    let chosen = known.get(header);
    if (chosen === undefined) {
      const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as Negotiates;
      const accepted = negotiator.encoding([...preferred, 'identity'], { preferred });
      chosen = accepted ?? 'identity';
      known.set(header, chosen);
    }
    return chosen === 'identity' ? null : chosen;
  };
};

type Variants = { [E in Encoding]?: Answer | Promise<Answer> };

/**
 * The answer as the caller takes it. What is compressed is kept with the answer that it was made of, so a cached
 * transcript is compressed once for as long as it is cached; at once if it is there already.
 */
export const createCompression = () => {
  const choose = createChoice();
  const variantsOf = memoize((_answer: Answer): Variants => ({}));
  const compress = async (answer: Answer, encoding: Encoding): Promise<Answer> => {
    const body = await encoders[encoding](Buffer.from(answer.body ?? ''));
    return { ...answer, body, headers: [...(answer.headers ?? []), 'Content-Encoding', encoding] };
  };
  return (request: Pick<GatewayRequest, 'headers'>, answer: Answer): Answer | Promise<Answer> => {
    if (answer.isCompressible !== true) return answer;
    const accepted = request.headers['accept-encoding'];
    const encoding = typeof accepted === 'string' ? choose(accepted) : null;
    if (encoding === null) return answer;
    const variants = variantsOf(answer);
    variants[encoding] ??= compress(answer, encoding).then((made) => {
      variants[encoding] = made;
      return made;
    });
    return variants[encoding];
  };
};
