import { openLine, type Verdict } from '@augury/testing/cut-line'

/** A way to the database on which chosen messages are lost together with the connection. */
export interface CuttingProxy {
  /** The database URL, by this way. */
  url: string
  close(): Promise<void>
}

/**
 * Passes everything on. `judge` is asked about every message that names the prepared statement `statement`: cut before, and the database
 * never sees it; cut after, and it does what it says, but its answer is lost.
 */
export async function cuttingProxy(databaseUrl: string, statement: string, judge: () => Verdict): Promise<CuttingProxy> {
  const url = new URL(databaseUrl)
  const name = `\0${statement}\0`
  const line = await openLine(Number(url.port), {
    host: url.hostname,
    judge: (said) => (said.includes(name, 0, 'latin1') ? judge() : 'pass'),
  })
  url.hostname = '127.0.0.1'
  url.port = String(line.port)
  return { url: url.href, close: line.close }
}
