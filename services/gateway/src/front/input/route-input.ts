import type { KnownDevice, Principal } from '@tds/contracts';
import type { ProjectedTranscript } from '../../cache/index.ts';
import type { Caller } from '../../principals/index.ts';
import type { Input, OtherRowInput } from '../../routes/serve/index.ts';
import { type Credential, deviceCookie, type Exchange, type GatewayRequest } from '../../wire/index.ts';
import type { ClientAddress } from './client-address.ts';

export type ReadRequest = {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown> | null;
  readonly caller: Caller | null;
  readonly idempotencyKey: string | null;
  readonly credential: Credential | null;
  readonly readAddress: ClientAddress;
};

type AnyInput = { readonly [Name in keyof Input]: unknown };

/** The input of a handler. A class, because one is created per request and its functions are shared. */
export class RouteInput implements AnyInput {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Record<string, unknown>;
  readonly body: Record<string, unknown> | null;
  readonly principal: Principal | null;
  readonly idempotencyKey: string | null;
  readonly credentialDigest: string | null;
  readonly transcript: ProjectedTranscript | null;
  readonly requestId: string;
  readonly exchange: Exchange;
  readonly #request: GatewayRequest;
  readonly #values: ReadRequest;

  constructor(request: GatewayRequest, exchange: Exchange, values: ReadRequest) {
    const { params, query, body, caller, credential, idempotencyKey } = values;
    this.#request = request;
    this.exchange = exchange;
    this.#values = values;
    this.params = params;
    this.query = query;
    this.body = body;
    this.idempotencyKey = idempotencyKey;
    this.principal = caller === null ? null : caller.principal;
    this.transcript = caller === null ? null : caller.transcript;
    this.credentialDigest = credential === null ? null : credential.digest;
    this.requestId = exchange.requestId;
    exchange.parameters = values;
  }

  get headers(): GatewayRequest['headers'] {
    return this.#request.headers;
  }

  get clientAddress(): string {
    return this.#values.readAddress(this.#request);
  }

  get device(): KnownDevice | undefined {
    return deviceCookie.read(this.#request.headers.cookie);
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  get callContext() {
    const { requestId, accountId } = this.exchange;
    return { requestId, accountId, signal: new AbortController().signal };
  }

  asOtherRow(values: OtherRowInput): RouteInput {
    return new RouteInput(this.#request, this.exchange, { ...this.#values, ...values });
  }
}
