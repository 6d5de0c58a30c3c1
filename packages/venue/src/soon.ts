/** A value, or the promise of one where something had to be waited for. Whoever makes one may also throw at once. */
export type Soon<T> = T | Promise<T>

/** What `next` makes of a value: at once where it is there, because a promise for nothing costs more than most of what it carries. */
export const after = <T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> =>
  value instanceof Promise ? value.then(next) : next(value)
