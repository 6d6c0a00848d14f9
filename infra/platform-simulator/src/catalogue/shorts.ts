const SHORTS_EVERY = 6;

/** Every sixth video of a channel is a Short. */
export const isShortPlace = (place: number): boolean => place % SHORTS_EVERY === SHORTS_EVERY - 1;
