/** A source of proof-of-origin tokens, such as a sidecar; tokens for captions are bound to the video. */
export interface PoTokenProvider {
  /** Null if no token can be had: tracks that need one are then skipped. */
  tokenFor(request: {
    readonly videoId: string;
    readonly client: string;
    readonly egress: string;
    readonly signal: AbortSignal;
  }): Promise<string | null>;
}

export const noPoTokens: PoTokenProvider = { tokenFor: async () => null };
