/** Returns the answer if it comes within some milliseconds, else throws `late()`. A later answer is ignored. */
export async function within<T>(ms: number, question: Promise<T>, late: () => Error): Promise<T> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(late()), ms)
  return Promise.race([question, tooLate.promise]).finally(() => clearTimeout(timer))
}
