/** Codes of certificates that are not accepted, and what the driver says of a server without TLS. */
const OF_TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)|server does not support SSL/
/** Codes of a service that is not reached. */
const NOT_REACHED = /^E(CONN|HOST|NET|AI_|NOTFOUND|TIMEDOUT|PIPE)/

/** Most characters of a message and of a stack: some hold whole statements, or every name of a certificate. */
const MESSAGE_MAX = 1000
const STACK_MAX = 4000
/** Most causes that are followed; they may lead in a circle. */
const CAUSES_MAX = 5

/**
 * Fields that say what failed. Others are left out: PostgreSQL’s `detail` repeats the row that it refused, with what members keep in it,
 * and an error of TLS carries the whole certificate.
 */
const FIELDS = ['code', 'status', 'syscall', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const

/** What is written of an error. */
export interface LoggedError extends Partial<Record<(typeof FIELDS)[number], string | number>> {
  type: string
  /** Its message and those of its causes. */
  message: string
  /** Where it came from; not of a service that is not reached, where it would only say that we asked. */
  stack?: string
}

/** Returns an error for the log: short, with its causes, without secrets. Anything else stays as it is. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const chain = causesOf(error)
  const logged: LoggedError = { type: error.constructor.name, message: chain.map(wordsOf).join(': ').slice(0, MESSAGE_MAX) }
  for (const name of FIELDS) {
    const value = chain.map((each) => (each as unknown as Record<string, unknown>)[name]).find((each) => each !== undefined)
    if (typeof value === 'string' || typeof value === 'number') logged[name] = value
  }
  if (!chain.some(isNotReached))
    logged.stack = chain
      .map(({ stack = '' }) => stack)
      .join('\ncaused by: ')
      .slice(0, STACK_MAX)
  return logged
}

/** Whether an error is of a connection that speaks no TLS, or of a certificate that is not accepted. */
export const isOfTls = (error: Error): boolean => OF_TLS.test(`${codeOf(error)} ${error.message}`)

function causesOf(error: Error): Error[] {
  const chain: Error[] = []
  for (let at: unknown = error; at instanceof Error && chain.length < CAUSES_MAX; at = at.cause) chain.push(at)
  return chain
}

/** Of a name with several addresses, the attempts have messages, and their sum has none. */
const wordsOf = (error: Error): string => error.message || partsOf(error).map(wordsOf).join('; ') || error.name

const partsOf = (error: Error): Error[] =>
  error instanceof AggregateError ? error.errors.filter((each): each is Error => each instanceof Error) : []

const isNotReached = (error: Error): boolean => isOfTls(error) || NOT_REACHED.test(codeOf(error))

const codeOf = (error: Error): string => String((error as NodeJS.ErrnoException).code ?? '')
