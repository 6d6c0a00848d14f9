import type { ArchiveIndex, TranscriptFormat } from './api.ts';
import { createReader, readChunks } from './chunks.ts';
import { backoffMs, type Call, type Connection, type RequestOptions, sleep } from './connection.ts';
import { ConnectionError, DownloadError } from './errors.ts';
import { builtin } from './node.ts';
import { type Hash, Sha256 } from './sha256.ts';

export type ArchiveOptions = RequestOptions & {
  /** Defaults to the format of the job. */
  readonly formats?: readonly TranscriptFormat[] | undefined;
  /** YAML for notes before each file of the format md. */
  readonly frontMatter?: boolean | undefined;
  /** Builds the archive again. */
  readonly rebuild?: boolean | undefined;
};

export type DocumentOptions = RequestOptions & {
  /** Defaults to md. */
  readonly format?: 'md' | 'txt' | undefined;
  /** The most words of a part: then it is a ZIP of numbered texts. Without it there is one text. */
  readonly maxWords?: number | undefined;
  /** Builds the document again. */
  readonly rebuild?: boolean | undefined;
};

export type ArchiveFile = { readonly path: string; readonly bytes: number; readonly sha256: string };

const PARTIAL = 206;

/** One ZIP of an archive. Its bytes come with the first read, and are checked against its digest at their end. */
export class ArchivePart {
  /** From 1 to `of`. */
  readonly part: number;
  readonly of: number;
  readonly bytes: number;
  /** Of the whole ZIP, in hexadecimal digits. */
  readonly sha256: string;
  readonly #connection: Connection;
  readonly #call: Call;
  #response: Response | undefined;

  constructor(connection: Connection, call: Call, response: Response, part = 1, of = 1) {
    this.#connection = connection;
    this.#call = call;
    this.#response = response;
    this.part = part;
    this.of = of;
    this.bytes = Number(response.headers.get('content-length'));
    this.sha256 = readDigest(response);
  }

  /** The bytes, once. Resumes by range after a cut; throws a `DownloadError` if they are not those of the digest. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    const { signal, timeoutMs: idleMs = this.#connection.timeoutMs } = this.#call;
    let response = this.#response;
    if (!response) throw new DownloadError('A part is read once: ask for the archive again');
    this.#response = undefined;
    const etag = response.headers.get('etag') ?? '';
    const hash: Hash = builtin('node:crypto')?.createHash('sha256') ?? new Sha256();
    let received = 0;
    for (let failures = 0; received < this.bytes; ) {
      try {
        for await (const chunk of readChunks(response, { idleMs, signal })) {
          hash.update(chunk);
          received += chunk.length;
          failures = 0;
          yield chunk;
        }
      } catch (error) {
        if (!(error instanceof ConnectionError) || failures >= this.#connection.maxRetries) throw error;
      }
      if (received >= this.bytes) break;
      await sleep(backoffMs(failures++), signal);
      response = await this.#rest(received, etag);
    }
    if (toHex(hash.digest()) !== this.sha256)
      throw new DownloadError('The ZIP is damaged: its SHA-256 is another one');
  }

  /** The same as a stream, for `new Response(stream)`, `pipeTo` and the like. */
  stream(): ReadableStream<Uint8Array> {
    const chunks = this.chunks();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    });
  }

  async #rest(from: number, etag: string): Promise<Response> {
    if (from === 0) return this.#connection.stream(this.#call);
    const headers = { Range: `bytes=${from}-`, 'If-Range': etag };
    const response = await this.#connection.stream({ ...this.#call, headers });
    const range = response.headers.get('content-range') ?? '';
    if (response.status === PARTIAL && range.startsWith(`bytes ${from}-`)) return response;
    await createReader(response).cancel();
    throw new DownloadError('The archive was replaced while it was read: ask for it again');
  }
}

/** `sha-256=:base64:`, as RFC 9530 writes it. */
const readDigest = ({ headers }: Response): string => {
  const base64 = /sha-256=:([^:]+):/.exec(headers.get('repr-digest') ?? '')?.[1];
  if (!base64) throw new DownloadError('The ZIP came without its digest');
  return toHex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
};

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

type ZipOrIndex = { readonly zip?: Response; readonly index?: ArchiveIndex };

const zipOrIndex = async (response: Response): Promise<ZipOrIndex> =>
  response.headers.get('content-type')?.startsWith('application/json')
    ? { index: (await response.json()) as ArchiveIndex }
    : { zip: response };

type Choice = Readonly<Record<string, string | number | boolean | undefined>>;

/** The text or the ZIPs of an ended job. Waits while they are built; each is requested when it is asked for. */
export async function* requestParts(
  connection: Connection,
  { path, rebuild, ...options }: RequestOptions & { path: string; rebuild?: boolean | undefined },
  choice: Choice,
): AsyncGenerator<ArchivePart> {
  const followUp = { ...options, path, query: choice };
  const query = { ...choice, rebuild };
  const { zip, index } = await connection.pollResult({ ...options, path, query }, zipOrIndex);
  if (zip) yield new ArchivePart(connection, followUp, zip);
  const { archive_id, parts = [] } = index ?? {};
  for (const { part } of parts) {
    const call = { ...followUp, query: { ...followUp.query, part, archive_id } };
    yield new ArchivePart(connection, call, await connection.stream(call), part, parts.length);
  }
}

export type ArchiveProgress = {
  readonly part: number;
  readonly of: number;
  readonly received: number;
  readonly bytes: number;
};
