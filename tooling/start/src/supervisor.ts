import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { guard } from '@augury/testing/guard'

const READY_WITHIN_MS = 90_000
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
  /** For a program without a server: what it prints once it is ready. With neither it is ready once it runs. */
  readyWords?: RegExp
  /** How it is restarted when it ends by itself; without this everything ends. */
  restart?: Pick<Service, 'command' | 'env' | 'readyUrl'>
}

/** Runs services and ends them together. */
export interface Supervisor {
  /** Starts a service and resolves once it is ready. Rejects with its last lines when it ends before that. */
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
export function supervisor({ logs, echo, onEnd, restartAfterMs = RESTART_AFTER_MS }: Options): Supervisor {
  mkdirSync(logs, { recursive: true })
  const running = new Set<Running>()
  let stopping = false

  async function start(service: Service): Promise<void> {
    const { name, command, cwd, env, readyUrl, readyWords } = service
    if (stopping) throw new Error('stopping')
    const [program, ...args] = command
    // A process group of its own, so that its children end with it, and Ctrl-C reaches it only through us.
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const tail = record(name, child)
    const release = guard('kill -TERM "-$1"; sleep 10; kill -KILL "-$1"', [String(child.pid)])
    const ended = new Promise<void>((resolve) => {
      child.once('error', (error) => tail.push(error.message))
      child.once('close', resolve)
      child.once('error', () => resolve())
    })
    const entry = { name, process: child, ended }
    running.add(entry)
    let readyAt: number | null = null
    const death = ended.then(() => {
      release()
      running.delete(entry)
      const how = `${name} ended by itself (${child.signalCode ?? `exit code ${child.exitCode}`}).`
      const told = (log: string) => `${how} Its log: ${join(logs, log)}\n${tail.join('\n')}`
      if (readyAt !== null && !stopping) restartOrEnd(service, performance.now() - readyAt, told)
      return told(`${name}.log`)
    })
    const sign = readyUrl !== undefined ? untilReady(readyUrl) : readyWords !== undefined ? untilSaid(child, readyWords) : null
    const failed = sign && (await Promise.race([sign, death]))
    if (failed !== null) throw new Error(stopping ? 'stopping' : failed)
    readyAt = performance.now()
  }

  function restartOrEnd(service: Service, workedMs: number, told: (log: string) => string): void {
    const { name, restart } = service
    if (!restart || workedMs < restartAfterMs) return void onEnd(told(`${name}.log`))
    console.log(`\n${told(`${name}.previous.log`)}\nRestarting ${name} …`)
    start({ ...service, ...restart }).then(
      () => console.log(`${name} runs again.`),
      (error: Error) => !stopping && onEnd(error.message),
    )
  }

  function record(name: string, child: ChildProcess): string[] {
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

async function untilReady(url: string): Promise<string | null> {
  const deadline = Date.now() + READY_WITHIN_MS
  let last = 'no answer'
  while (Date.now() < deadline) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'manual' })
      const body = await response.text()
      if (response.ok) return null
      last = `${response.status} ${body.slice(0, 200)}`
    } catch {
      // not listening yet
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return `${url} was not ready within ${READY_WITHIN_MS / 1000} s (${last})`
}

/** Null once the output contains these words. */
function untilSaid({ stdout }: ChildProcess, words: RegExp): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let text = ''
  const hear = (chunk: string) => {
    text += chunk
    if (words.test(text)) resolve(null)
  }
  stdout?.on('data', hear)
  const timer = setTimeout(resolve, READY_WITHIN_MS, `it did not say ${words} within ${READY_WITHIN_MS / 1000} s`)
  return promise.finally(() => {
    clearTimeout(timer)
    stdout?.off('data', hear)
  })
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // the group is empty
  }
}
