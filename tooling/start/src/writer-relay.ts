import { connect, createServer, type Socket } from 'node:net'

/** Milliseconds between two looks at who writes. */
const LOOK_MS = 500
/** Milliseconds that an answer to that may take. */
const ANSWER_MS = 1_000

/** One address for the exchange, whichever of its programs writes. */
export interface WriterRelay {
  url: string
  close(): Promise<void>
}

/**
 * Opens an address of this machine that leads to the writer among these exchange programs: what the proxy is in a deployment. The first that is
 * ready is the writer; while none is, it leads to the last one. When that changes, its connections are closed, so that a client that
 * holds one connects anew.
 */
export async function openWriterRelay(programs: readonly [string, ...string[]]): Promise<WriterRelay> {
  let writer: string = programs[0]
  const open = new Map<Socket, string>()
  const server = createServer({ noDelay: true }, (caller) => {
    const { hostname, port } = new URL(writer)
    const to = connect({ host: hostname, port: Number(port), noDelay: true })
    open.set(caller, writer)
    caller.pipe(to).pipe(caller)
    // What was read is still written before the other end closes. An error is followed by a close.
    caller.on('error', () => {}).on('close', () => open.delete(caller) && to.destroySoon())
    to.on('error', () => caller.destroy()).on('close', () => caller.destroySoon())
  })

  const look = async () => {
    const ready = await Promise.all(programs.map(isReady))
    const found = programs[ready.indexOf(true)]
    if (found === undefined || found === writer) return
    writer = found
    for (const [caller, program] of open) if (program !== writer) caller.destroy()
  }
  let looking: Promise<void> | undefined
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined
    })
  }, LOOK_MS)

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async close() {
      clearInterval(timer)
      await looking
      const closed = new Promise((resolve) => server.close(resolve))
      for (const caller of open.keys()) caller.destroy()
      await closed
    },
  }
}

async function isReady(program: string): Promise<boolean> {
  try {
    const response = await fetch(`${program}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false // not running
  }
}
