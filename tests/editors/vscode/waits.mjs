/** After how long a key or a click that brought nothing is tried again, in milliseconds. */
export const AGAIN_MS = 5000;
