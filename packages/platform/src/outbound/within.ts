/** The answer to a question, if it comes within some milliseconds; else throws `late()`. Nobody hears then how the question ends. */
export async function within<T>(ms: number, question: Promise<T>, late: () => Error): Promise<T> {
  const tooLate = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLate.reject(late()), ms)
  return Promise.race([question, tooLate.promise]).finally(() => clearTimeout(timer))
}
