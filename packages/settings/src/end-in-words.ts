import { SettingsError } from './env.ts'
import type { Name } from './variables.ts'

/** Variables that have to do with what may go wrong outside a program. */
interface Blamed {
  database: Name
  ports?: readonly Name[]
}

/**
 * From now on whatever ends this program is told in words, with the variables to look at, and ends it with 1. Returns how to leave that:
 * call it once the program has begun, for what ends it later is a bug, and wants its stack.
 */
export function endInWords(program: string, blamed: Blamed): () => void {
  const end = (error: unknown) => {
    process.stderr.write(`${error instanceof SettingsError ? error.message : `${program} did not start: ${reasonOf(error, blamed)}`}\n`)
    process.exit(1)
  }
  process.on('uncaughtException', end)
  return () => void process.off('uncaughtException', end)
}

/** A sentence for what whoever runs a program can put right; the stack of a bug. */
function reasonOf(error: unknown, blamed: Blamed): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0], blamed)
  if (BUGS.has(error.name)) return error.stack ?? error.message
  const names = lookAt(error, blamed)
  return names.length > 0 ? `${error.message}. Look at ${names.join(' and ')}` : error.message
}

/** Errors that nobody throws on purpose. */
const BUGS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'AssertionError'])

/** What to look at, from the call of the system that failed, or from what PostgreSQL refused, with or without the ORM around it. */
function lookAt(error: NodeJS.ErrnoException, { database, ports = [] }: Blamed): string[] {
  const { syscall } = error
  if ('severity' in error || syscall === 'connect' || syscall === 'getaddrinfo') return [database]
  if (syscall === 'listen') return ['HOST', ...ports]
  return syscall ? ['DATA_DIR'] : []
}
