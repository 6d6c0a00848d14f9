/** A request on its way to the wire, as bytes of latin1. */
export type Wire = { readonly line: string; readonly headers: readonly string[]; readonly body: string };

type Twist = (wire: Wire) => string;

const CRLF = '\r\n';
const LARGER_THAN_HEADERS_MAY_BE = 20_000;

const write = ({ line, headers, body }: Wire, end = CRLF): string => [line, ...headers, '', body].join(end);

const length = ({ body }: Wire, by = 0): string => `Content-Length: ${body.length + by}`;

const with_ = (wire: Wire, ...headers: readonly string[]): string =>
  write({ ...wire, headers: [...wire.headers, ...headers] });

const withVersion = (wire: Wire, version: string): string =>
  with_({ ...wire, line: wire.line.replace('HTTP/1.1', version) }, length(wire));

/** A second request in the body: only who misreads the framing of the first one answers it. */
const SMUGGLED = `0${CRLF}${CRLF}GET /v1/account HTTP/1.1${CRLF}Host: x${CRLF}${CRLF}`;

/** Ways in which bytes go wrong that no HTTP client would send. */
export const twists: Readonly<Record<string, Twist>> = {
  'sent as it is': (wire) => with_(wire, length(wire)),
  'length too small': (wire) => with_(wire, length(wire, -Math.min(3, wire.body.length))),
  'length too large': (wire) => with_(wire, length(wire, 7)),
  'two lengths': (wire) => with_(wire, length(wire), length(wire, 1)),
  'no number as length': (wire) => with_(wire, 'Content-Length: 1e2'),
  'negative length': (wire) => with_(wire, 'Content-Length: -1'),
  'huge length': (wire) => with_(wire, 'Content-Length: 99999999999999999999'),
  'length and chunks': (wire) =>
    with_({ ...wire, body: SMUGGLED }, `Content-Length: ${SMUGGLED.length}`, 'Transfer-Encoding: chunked'),
  'chunks in disguise': (wire) =>
    with_({ ...wire, body: SMUGGLED }, `Content-Length: ${SMUGGLED.length}`, 'Transfer-Encoding: xchunked'),
  'chunks and more': (wire) => with_({ ...wire, body: SMUGGLED }, 'Transfer-Encoding: chunked, identity'),
  'bad chunk size': (wire) =>
    with_({ ...wire, body: `zz${CRLF}x${CRLF}0${CRLF}${CRLF}` }, 'Transfer-Encoding: chunked'),
  'chunk too short': (wire) => with_({ ...wire, body: `ff${CRLF}x` }, 'Transfer-Encoding: chunked'),
  'chunked well': (wire) =>
    with_(
      {
        ...wire,
        body: `${wire.body === '' ? '' : `${wire.body.length.toString(16)}${CRLF}${wire.body}${CRLF}`}0${CRLF}${CRLF}`,
      },
      'Transfer-Encoding: chunked',
    ),
  'line feeds only': (wire) => write({ ...wire, headers: [...wire.headers, length(wire)] }, '\n'),
  'a NUL in a header': (wire) => with_(wire, 'X-Odd: a\0b', length(wire)),
  'a bare CR in a header': (wire) => with_(wire, 'X-Odd: a\rX-Injected: yes', length(wire)),
  'a folded header': (wire) => with_(wire, 'X-Odd: a', ' b', length(wire)),
  'a blank before the colon': (wire) => with_(wire, 'X-Odd : a', length(wire)),
  'a header without a colon': (wire) => with_(wire, 'X-Odd', length(wire)),
  'two hosts': (wire) => with_(wire, 'Host: evil.example', length(wire)),
  'no host': (wire) =>
    write({ ...wire, headers: [...wire.headers.filter((header) => !/^host:/i.test(header)), length(wire)] }),
  'headers too large': (wire) => with_(wire, `X-Odd: ${'x'.repeat(LARGER_THAN_HEADERS_MAY_BE)}`, length(wire)),
  'too many headers': (wire) =>
    with_(wire, ...Array.from({ length: 2_500 }, (_, index) => `a${index}:`), length(wire)),
  'HTTP/1.0': (wire) => withVersion(wire, 'HTTP/1.0'),
  'HTTP/2.0': (wire) => withVersion(wire, 'HTTP/2.0'),
  'HTTP/9.9': (wire) => withVersion(wire, 'HTTP/9.9'),
  'another protocol': (wire) => withVersion(wire, 'SMTP/1.1'),
  'no version': (wire) => withVersion(wire, ''),
  'blanks in the address': (wire) => with_({ ...wire, line: wire.line.replace('/', '/ /') }, length(wire)),
  'bytes in the address': (wire) =>
    with_({ ...wire, line: wire.line.replace('/', '/\xff\xfe\xc3') }, length(wire)),
  'a method in lower case': (wire) =>
    with_({ ...wire, line: wire.line.toLowerCase().replace('http/1.1', 'HTTP/1.1') }, length(wire)),
  'a CONNECT': (wire) => with_({ ...wire, line: 'CONNECT 169.254.169.254:80 HTTP/1.1' }),
  'a TLS hello': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'half a head': (wire) => write(wire).slice(0, 20),
  'half a body': (wire) =>
    with_({ ...wire, body: '{"' }, 'Content-Type: application/json', 'Content-Length: 50'),
};

/** An answer to a smuggled request would be a second one. */
export const isSmuggling = (twist: string): boolean =>
  ['length and chunks', 'chunks in disguise', 'chunks and more', 'two lengths'].includes(twist);

/** A reader of these waits for more, which never comes. */
export const isCutShort = (twist: string): boolean =>
  [
    'length too large',
    'chunk too short',
    'huge length',
    'a TLS hello',
    'half a head',
    'half a body',
    'no version',
  ].includes(twist);
