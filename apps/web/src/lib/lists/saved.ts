/** Cookie with the saved events of a visitor. */
export const SAVED_COOKIE = 'saved'
/** Most events in the cookie, well within its size limit. */
export const SAVED_MAX = 40

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether an event can have this id. */
export const isEventId = (id: string): boolean => ID.test(id)

/** Parses the ids of the cookie, latest first; skips invalid ones. */
export const readSaved = (value: string | undefined): string[] => (value ?? '').split('.').filter(isEventId).slice(0, SAVED_MAX)

/** The ids with one added in front, or removed. Drops the oldest above the limit. */
export const withSaved = (ids: readonly string[], id: string, saved: boolean): string[] =>
  [...(saved && isEventId(id) ? [id] : []), ...ids.filter((each) => each !== id)].slice(0, SAVED_MAX)

/** Formats the ids for the cookie. */
export const writeSaved = (ids: readonly string[]): string => ids.join('.')
