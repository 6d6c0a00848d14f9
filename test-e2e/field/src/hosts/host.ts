/** What a host sends on its way to a connection. The next host is one row more. */
export type Host = {
  readonly name: string;
  /** The public report or document that shows it. */
  readonly source: string;
  /** What it registers, or what the document says by whose address it names itself. */
  readonly metadata: { readonly redirect_uris: readonly string[] } & Readonly<Record<string, unknown>>;
  /** Where it listens this time. */
  readonly redirect: string;
  /** More fields of its request to the holder; undefined leaves a field out. */
  readonly authorize?: Readonly<Record<string, string | undefined>>;
  /** More fields of its requests for tokens; undefined leaves a field out. */
  readonly token?: Readonly<Record<string, string | undefined>>;
  /** Its id in the Authorization header, with an empty secret. */
  readonly basic?: true;
};

export const grant_types = ['authorization_code', 'refresh_token'];
export const response_types = ['code'];
export const isPublic = { grant_types, response_types, token_endpoint_auth_method: 'none' };
/** Of all that the server offers, as hosts of the protocol's newer SDKs copy it. */
export const offered = 'read fetch jobs monitors offline_access';
