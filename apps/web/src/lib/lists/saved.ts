/** The cookie that keeps what somebody saved who is not signed in. */
export const SAVED_COOKIE = 'saved'
/** Events that it can hold: as many as fit into a cookie with room to spare. */
export const SAVED_MAX = 40

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the ids of a cookie, the latest first; what is no id is left out. */
export const readSaved = (value: string | undefined): string[] =>
  (value ?? '')
    .split('.')
    .filter((id) => ID.test(id))
    .slice(0, SAVED_MAX)

/** The ids with one more in front, or without it. The oldest gives way when there is no room. */
export const withSaved = (ids: readonly string[], id: string, saved: boolean): string[] =>
  [...(saved && ID.test(id) ? [id] : []), ...ids.filter((each) => each !== id)].slice(0, SAVED_MAX)

/** The ids as the cookie keeps them. */
export const writeSaved = (ids: readonly string[]): string => ids.join('.')
