/** Path of the step that enables trading on this device; `next` is the path to go on to. */
export const enablePath = (next: string): string => `/settings/trading?next=${encodeURIComponent(next)}`
