export type RingKey = { readonly id: string; readonly secret: string };
