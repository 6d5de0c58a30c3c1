import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A line between clients and a server that can be cut at any moment, in the middle of a frame too. */
export interface CutLine {
  port: number
  /** Ends every connection, as a pulled cable would. */
  cut(): void
  close(): void
}

/** Opens a line to a port of this machine. */
export async function openLine(target: number): Promise<CutLine> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    cut,
    close() {
      server.close()
      cut()
    },
  }
}
