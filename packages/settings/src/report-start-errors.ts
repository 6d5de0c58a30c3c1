import { SettingsError } from './env.ts'
import { isOfTls } from './logged-error.ts'
import type { Name } from './variables.ts'

/** The variables to name in messages about failures outside the program. */
interface Blamed {
  database: Name
  ports?: readonly Name[]
}

/**
 * While a program starts: prints an uncaught error as one sentence naming the variables to check, and exits with 1. Returns a function
 * that turns this off; call it once the program runs, as later uncaught errors are bugs and need their stack.
 */
export function reportStartErrors(program: string, blamed: Blamed): () => void {
  const end = (error: unknown) => {
    process.stderr.write(`${error instanceof SettingsError ? error.message : `${program} did not start: ${reasonOf(error, blamed)}`}\n`)
    process.exit(1)
  }
  process.on('uncaughtException', end)
  return () => void process.off('uncaughtException', end)
}

/** A sentence for what an operator can put right; the stack for a bug. */
function reasonOf(error: unknown, blamed: Blamed): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0], blamed)
  if (BUGS.has(error.name)) return error.stack ?? error.message
  const names = lookAt(error, blamed)
  return names.length > 0 ? `${error.message}. Look at ${names.join(' and ')}` : error.message
}

/** Names of errors that are only ever bugs. */
const BUGS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'AssertionError'])

/** The variables to check, by the system call that failed; `severity` marks an error of PostgreSQL, wrapped by the ORM or not. */
function lookAt(error: NodeJS.ErrnoException, { database, ports = [] }: Blamed): string[] {
  const { syscall } = error
  // No program starts by another TLS than its database's.
  if ('severity' in error || syscall === 'connect' || syscall === 'getaddrinfo' || isOfTls(error)) return [database]
  if (syscall === 'listen') return ['HOST', ...ports]
  return syscall ? ['DATA_DIR'] : []
}
