import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { guard } from '@augury/testing/guard'

/** Milliseconds after which, again and again, it says that a service is not ready. */
const TELL_AFTER_MS = 90_000
const STOP_WITHIN_MS = 15_000
const TAIL_LINES = 20
/** Milliseconds that a service must have run to be restarted: one that ends sooner would end again. */
const RESTART_AFTER_MS = 10_000

/** A program that should run until everything stops. */
export interface Service {
  /** Also the name of its log file. */
  name: string
  /** Program and arguments. */
  command: [string, ...string[]]
  cwd: string
  env?: Record<string, string>
  /** URL that answers 200 once the service is ready. */
  readyUrl?: string
  /** For a program without a server: what it prints once it is ready. */
  readyWords?: RegExp
  /** What makes it ready once it runs, also after a restart. Without any of the three it is ready once it runs. */
  prepare?: (signal: AbortSignal) => Promise<unknown>
  /**
   * How it is restarted when it ends by itself; without this everything ends, and also if it had hardly worked, unless it is restarted `always`: the
   * others work without it.
   */
  restart?: Partial<Pick<Service, 'command' | 'env' | 'readyUrl'>> & { always?: boolean }
}

/** Runs services and ends them together. */
export interface Supervisor {
  /**
   * Starts a service and resolves once it is ready. Rejects with its last lines when it ends before that. A service that runs is waited for,
   * however long it takes: on a busy machine the site takes minutes, and ending everything would take the exchange from its members.
   */
  start(service: Service): Promise<void>
  /** Stops services, last started first, and resolves when none is left. A second call kills them. */
  stop(): Promise<void>
}

interface Options {
  /** Folder of the log files. */
  logs: string
  echo: boolean
  onEnd: (why: string) => void
  restartAfterMs?: number
  tellAfterMs?: number
}

interface Running {
  name: string
  process: ChildProcess
  ended: Promise<void>
}

/**
 * A supervisor that writes each service's output to `<logs>/<name>.log` and calls `onEnd` with a sentence and the last lines when a service
 * ends that was not stopped and is not restarted. `echo` also shows the output. Services die with this process, however it ends.
 */
export function supervisor({ logs, echo, onEnd, restartAfterMs = RESTART_AFTER_MS, tellAfterMs = TELL_AFTER_MS }: Options): Supervisor {
  mkdirSync(logs, { recursive: true })
  const running = new Set<Running>()
  let stopping = false

  async function start(service: Service): Promise<void> {
    const { name, command, cwd, env } = service
    if (stopping) throw new Error('stopping')
    const [program, ...args] = command
    // A process group of its own, so that its children end with it, and Ctrl-C reaches it only through us.
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const tail = record({ logs, echo }, name, child)
    const release = guard('kill -TERM "-$1"; sleep 10; kill -KILL "-$1"', [String(child.pid)])
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => tail.push(error.message))
      child.once('close', resolve)
      child.once('error', () => resolve())
    })
    const entry = { name, process: child, ended }
    running.add(entry)
    const begun = performance.now()
    let readyAt: number | null = null
    const waiting = new AbortController()
    const death = ended.then(() => {
      release()
      waiting.abort()
      running.delete(entry)
      const how = `${name} ended by itself (${child.signalCode ?? `exit code ${child.exitCode}`}).`
      const told = (log: string) => `${how} Its log: ${join(logs, log)}\n${tail.join('\n')}`
      if (readyAt !== null && !stopping) void restartOrEnd(service, performance.now() - readyAt, told)
      return told(`${name}.log`)
    })
    const teller = setInterval(() => {
      console.log(`\n${name} is not ready after ${Math.round((performance.now() - begun) / 1000)} s. It runs, so it is waited for.`)
      console.log(`Its log: ${join(logs, `${name}.log`)}\n${tail.slice(-3).join('\n')}`)
    }, tellAfterMs)
    try {
      const failed = await Promise.race([untilReady(service, child, waiting.signal), death])
      if (failed !== null) throw new Error(stopping ? 'stopping' : failed)
    } finally {
      clearInterval(teller)
      waiting.abort()
    }
    readyAt = performance.now()
  }

  async function restartOrEnd(service: Service, workedMs: number, told: (log: string) => string): Promise<void> {
    const { name, restart } = service
    const isShort = workedMs < restartAfterMs
    if (!restart || (isShort && !restart.always)) return onEnd(told(`${name}.log`))
    console.log(`\n${told(`${name}.previous.log`)}\nRestarting ${name} …`)
    if (isShort) await new Promise((resolve) => setTimeout(resolve, restartAfterMs).unref())
    try {
      await start({ ...service, ...restart })
      console.log(`${name} runs again.`)
    } catch (error) {
      const { message } = error as Error
      if (!stopping) await (restart.always ? restartOrEnd(service, 0, () => message) : onEnd(message))
    }
  }

  async function stop(): Promise<void> {
    const signal = stopping ? 'SIGKILL' : 'SIGTERM'
    stopping = true
    for (const each of [...running].reverse()) {
      signalGroup(each.process, signal)
      const timer = setTimeout(() => signalGroup(each.process, 'SIGKILL'), STOP_WITHIN_MS)
      await each.ended
      clearTimeout(timer)
      signalGroup(each.process, 'SIGKILL') // its remaining children
    }
  }

  return { start, stop }
}

/** Writes a program's output to its log, and shows it if asked for. Returns its last lines, which change. */
function record({ logs, echo }: Pick<Options, 'logs' | 'echo'>, name: string, child: ChildProcess): string[] {
  const path = join(logs, `${name}.log`)
  if (existsSync(path)) renameSync(path, join(logs, `${name}.previous.log`))
  const file = createWriteStream(path).on('error', () => {}) // a full disk takes the log, and nothing else
  const tail: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      file.write(chunk)
      tail.push(...chunk.split('\n').filter((line) => line !== ''))
      tail.splice(0, tail.length - TAIL_LINES)
      if (echo) process.stdout.write(chunk.replace(/^(?=.)/gm, `${name.padEnd(13)} `))
    })
  }
  child.once('close', () => file.end())
  return tail
}

/** Null once the service is ready. */
async function untilReady({ readyUrl, readyWords, prepare }: Service, child: ChildProcess, signal: AbortSignal): Promise<null> {
  if (readyUrl !== undefined) await untilServed(readyUrl, signal)
  if (readyWords !== undefined) await untilSaid(child, readyWords)
  await prepare?.(signal)
  return null
}

async function untilServed(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'manual' })
      await response.arrayBuffer()
      if (response.ok) return
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  signal.throwIfAborted()
}

/** Resolves once the output contains these words. */
function untilSaid({ stdout }: ChildProcess, words: RegExp): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let text = ''
  const hear = (chunk: string) => {
    text += chunk
    if (words.test(text)) resolve()
  }
  stdout?.on('data', hear)
  return promise.finally(() => stdout?.off('data', hear))
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // the group is empty
  }
}
