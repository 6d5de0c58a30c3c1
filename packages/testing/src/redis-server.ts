import { spawnSync } from 'node:child_process'
import { type Child, startChild } from './child-process.ts'
import { freePort } from './free-port.ts'

/** A Redis for one test file. */
export interface RedisServer {
  readonly url: string
  /** Ends it like a crash. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>
  /** Suspends the process; `thaw` resumes it. */
  freeze(): void
  thaw(): void
}

/** Path of this machine's `redis-server`; null when it has none. */
export const redisBinary: string | null = spawnSync('sh', ['-c', 'command -v redis-server'], { encoding: 'utf8' }).stdout.trim() || null

/** Starts an in-memory Redis on a free port. It ends with this process. */
export async function startRedis(binary: string): Promise<RedisServer> {
  const port = await freePort()
  const start = async () => {
    const child = startChild(binary, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'])
    await child.waitFor(/Ready to accept connections/)
    return child
  }
  let child: Child = await start()
  const signal = (name: NodeJS.Signals) => process.kill(child.pid, name)
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      await child.stop('SIGKILL')
    },
    async restart() {
      child = await start()
    },
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
  }
}
