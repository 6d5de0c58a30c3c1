import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { guard } from './guard.ts'

/** Environment that lets programs of Node keep what they compiled, as set by `npm start`: each starts in half a second less. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/node-compile') }

/** A program under test, in a process group of its own. */
export interface Child {
  readonly pid: number
  /** Everything written to stdout and stderr so far. */
  output(): string
  /** Resolves with the first match in the output; rejects with the output if the program ends first. */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>
  /** Signals the program alone and resolves with its exit code (null when a signal ended it). SIGTERM by default. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Resolves with the exit code when the program ends. */
  readonly ended: Promise<number | null>
}

/**
 * Starts a program with only the given environment plus PATH and COMPILE_CACHE. It and its children are killed when this process ends, however
 * it ends.
 */
export function startChild(command: string, args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): Child {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, ...COMPILE_CACHE, ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const waiting = new Set<() => void>()
  const onData = (chunk: string) => {
    output += chunk
    for (const look of waiting) look()
  }
  child.stdout.setEncoding('utf8').on('data', onData)
  child.stderr.setEncoding('utf8').on('data', onData)

  const release = guard('kill -KILL "-$1"', [String(child.pid)])
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => killGroup(child.pid ?? 0))
    child.once('close', (code) => {
      release()
      resolve(code)
    })
  })
  ended.catch(() => {}) // no unhandled rejection: callers that wait get it

  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = output.match(pattern)
          if (match === null) return
          waiting.delete(look)
          resolve(match)
        }
        waiting.add(look)
        look()
        ended.then((code) => reject(new Error(`${command} ended (${code}) before ${pattern}:\n${output}`)), reject)
      }),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Kills what the program left running. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nothing was left
  }
}
