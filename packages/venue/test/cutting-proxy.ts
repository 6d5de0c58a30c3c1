import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What happens to a message on its way to the database. */
export type Verdict = 'pass' | 'cut before' | 'cut after'

/** A way to the database on which chosen messages are lost together with the connection. */
export interface CuttingProxy {
  /** The database URL, by this way. */
  url: string
  close(): void
}

/**
 * Passes everything on. `judge` is asked about every message that names the prepared statement `statement`: cut before, and the database
 * never sees it; cut after, and it does what it says, but its answer is lost.
 */
export async function cuttingProxy(databaseUrl: string, statement: string, judge: () => Verdict): Promise<CuttingProxy> {
  const target = new URL(databaseUrl)
  const name = `\0${statement}\0`
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    const cut = () => {
      client.destroy()
      database.destroy()
    }
    let isDoomed = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', cut)
    }
    client.on('data', (chunk) => {
      const verdict = chunk.includes(name, 0, 'latin1') ? judge() : 'pass'
      if (verdict === 'cut before') return cut()
      isDoomed ||= verdict === 'cut after'
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      if (isDoomed) cut()
      else client.write(chunk)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
