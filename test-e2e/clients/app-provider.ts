import { CALLBACK } from '#support/testing';

/** What an app keeps of its connection, for the provider interface that both official clients have. */
export const newProvider = () => {
  const kept: Record<string, unknown> = {};
  const keep = (name: string) => (value: unknown) => {
    kept[name] = value;
  };
  return {
    kept,
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'A story', redirect_uris: [CALLBACK] },
    clientInformation: () => kept.client as never,
    saveClientInformation: keep('client'),
    tokens: () => kept.tokens as never,
    saveTokens: keep('tokens'),
    redirectToAuthorization: keep('address'),
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => kept.verifier as string,
    saveDiscoveryState: keep('discovery'),
    discoveryState: () => kept.discovery as never,
  };
};
export type Provider = ReturnType<typeof newProvider>;
