import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Where a command writes, and whom it asks. */
export interface Terminal {
  out(text: string): void
  error(text: string): void
  /** Empties the screen, where a person reads what is written. */
  clear(): void
  /** Whether a person reads what is written, and on how many columns. */
  columns: number | null
  /** Asks for a secret without showing it. Null without an interactive user. */
  askSecret(question: string): Promise<string | null>
  /** Resolves when the user interrupts endless output or its reader is gone. Until it is called, a signal ends the program. */
  stopped(): Promise<void>
}

/** The terminal of this process. */
export function openTerminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    error: (text) => void process.stderr.write(`${text}\n`),
    clear: () => void (process.stdout.isTTY && process.stdout.write('\u001b[2J\u001b[H')),
    columns: process.stdout.isTTY ? process.stdout.columns : null,
    askSecret,
    stopped: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
        process.stdout.once('error', () => resolve())
      }),
  }
}

async function askSecret(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  reader.once('SIGINT', () => process.exit(130))
  const ended = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    return await Promise.race([reader.question(''), ended]) // Ctrl-D answers nothing
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}
