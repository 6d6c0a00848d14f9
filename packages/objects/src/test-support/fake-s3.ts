import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type FakeObject = { body: Buffer; headers: Record<string, string>; at: Date };

const error = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
};

const put = async (
  request: IncomingMessage,
  response: ServerResponse,
  objects: Map<string, FakeObject>,
  path: string,
) => {
  const body = await buffer(request);
  if (request.headers['if-none-match'] === '*' && objects.has(path))
    return error(response, 412, 'PreconditionFailed');
  const digest = createHash('sha256').update(body).digest('base64');
  if (request.headers['x-amz-checksum-sha256'] !== digest) return error(response, 400, 'BadDigest');
  const headers = {
    'content-type': request.headers['content-type'] ?? 'application/octet-stream',
    'x-amz-meta-sha256': String(request.headers['x-amz-meta-sha256']),
  };
  objects.set(path, { body, headers, at: new Date() });
  response.writeHead(200, { etag: '"x"' }).end();
};

/** The only form that the store sends: `bytes=first-last`. */
const rangeOf = ({ headers: { range = '' } }: IncomingMessage): readonly [number, number] | null => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  return first === undefined ? null : [Number(first), Number(last)];
};

const get = (request: IncomingMessage, response: ServerResponse, object: FakeObject | undefined): void => {
  if (!object) {
    error(response, 404, 'NoSuchKey');
    return;
  }
  const range = rangeOf(request);
  if (range && range[0] >= object.body.length) {
    error(response, 416, 'InvalidRange');
    return;
  }
  const body = range ? object.body.subarray(range[0], range[1] + 1) : object.body;
  response.writeHead(range ? 206 : 200, {
    ...object.headers,
    'content-length': body.length,
    'last-modified': object.at.toUTCString(),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
};

/** Speaks as much of S3 as the store uses: PUT (also conditional), GET (also of a range), HEAD and DELETE. */
export const startFakeS3 = async () => {
  const objects = new Map<string, FakeObject>();
  const requests: string[] = [];
  const failures: { status: number; code: string }[] = [];
  const load = { now: 0, max: 0, gate: Promise.resolve() };
  const answer = (request: IncomingMessage, response: ServerResponse, path: string): void => {
    const failure = failures.shift();
    if (failure) {
      request.resume();
      error(response, failure.status, failure.code);
    } else if (request.method === 'PUT') {
      // A client that leaves in the middle leaves nothing behind.
      put(request, response, objects, path).catch(() => {});
    } else if (request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
    } else get(request, response, objects.get(path));
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url?.split('?')[0] ?? '');
    requests.push(`${request.method} ${path}`);
    load.now += 1;
    load.max = Math.max(load.max, load.now);
    response.once('close', () => {
      load.now -= 1;
    });
    void load.gate.then(() => answer(request, response, path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** The next answers, one after the other. */
    failures,
    /** How many requests are under way, and the most that ever were; they wait for the gate. */
    load,
    /** Deletes everything. */
    clear: () => objects.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
