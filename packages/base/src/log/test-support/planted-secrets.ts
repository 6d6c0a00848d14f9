import fc from 'fast-check';
import { Secret } from '../../config/config.ts';

export const letters = (characters: string, minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const alphanumeric = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789';
/** Long enough never to occur by chance. */
const needle = letters(alphanumeric, 20);

/** A text that must be recognised by itself, with the part of it that must not be seen. */
export const recognisable = needle.chain((hidden) =>
  fc
    .constantFrom(
      `svc_live_${hidden}`,
      `Bearer ${hidden}`,
      `bearer   ${hidden}`,
      `Basic ${hidden}==`,
      `theme=dark; svc_dashboard=${hidden}; Path=/`,
      `svc_device=${hidden}.${hidden}; a=b`,
      `postgres://ledger:${hidden}@db.internal:5432/ledger`,
      `redis://:${hidden}@localhost:6379`,
      `postgres://ledger:pa/ss?${hidden}@db:5432/ledger`,
      `https://${hidden}@hooks.example.com/x`,
      `amqp://${hidden}@localhost/`,
      `/v1/transcripts?video_id=1&api_key=${hidden}&format=srt`,
      `{"password":"${hidden}","a":1}`,
      `grant_type=x&client_secret=${hidden}`,
      `{"access_token": "a b ${hidden}"}`,
      `${hidden}@example.com`,
      `Ann <first.${hidden}+tag@mail.example.co.uk>`,
      `${hidden}@münchen.example`,
    )
    .map((text) => ({ hidden, value: text as unknown })),
);

const secretName = fc.constantFrom(
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'Set-Cookie',
  'password',
  'newPassword',
  'secret',
  'webhook_secret',
  'webhookSecret',
  'stripe-webhook-secret',
  'token',
  'session_token',
  'apiKey',
  'x-api-key',
);

/** Anything at all, hidden by the name of its field alone. */
const namedSecret = fc
  .tuple(secretName, needle, fc.constantFrom('plain', 'list', 'object', 'buffer'))
  .map(([name, hidden, shape]) => {
    const shapes = {
      plain: hidden,
      list: [hidden],
      object: { deep: { hidden } },
      buffer: Buffer.from(hidden),
    };
    return { hidden, value: { [name]: shapes[shape as keyof typeof shapes] } as unknown };
  });

const wrappedSecret = needle.map((hidden) => ({ hidden, value: new Secret(hidden) as unknown }));

type PlantedSecret = { hidden: string; value: unknown };

class WithToJson {
  readonly inner: unknown;
  constructor(inner: unknown) {
    this.inner = inner;
  }
  toJSON() {
    return { inner: this.inner };
  }
}

/** Ways to bury a value one level deeper. */
const burials: ReadonlyArray<(value: unknown) => unknown> = [
  (value) => ({ nested: value, other: 1 }),
  (value) => ['before', value, 'after'],
  (value) => new Map([['entry', value]]),
  (value) => new Set([value]),
  (value) => new WithToJson(value),
  (value) => Object.assign(new Error(`failed: ${String(value)}`), { extra: value }),
  (value) => new Error('outer', { cause: value }),
  (value) => new AggregateError([value, new Error('other')], 'several'),
  (value) =>
    new TypeError('outer', {
      cause: new Error(typeof value === 'string' ? value : 'inner', { cause: value }),
    }),
  (value) => {
    const cyclic: Record<string, unknown> = { value };
    cyclic.self = cyclic;
    return cyclic;
  },
  (value) => ({ [typeof value === 'string' ? value : 'key']: 'as a name' }),
];

export const plantedSecret: fc.Arbitrary<PlantedSecret> = fc
  .tuple(
    fc.oneof(recognisable, namedSecret, wrappedSecret),
    fc.array(fc.nat({ max: burials.length - 1 }), { maxLength: 6 }),
  )
  .map(([{ hidden, value }, path]) => ({
    hidden,
    value: path.reduce((inner: unknown, at) => burials[at]?.(inner), value),
  }));
