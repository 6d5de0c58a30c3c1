/** A value, or a promise of it when something asynchronous was needed. A function that returns one may also throw synchronously. */
export type MaybePromise<T> = T | Promise<T>

/** Applies `next` to a value, synchronously when it is no promise: on the path of an order a needless promise costs more than the work. */
export const chain = <T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> =>
  value instanceof Promise ? value.then(next) : next(value)
