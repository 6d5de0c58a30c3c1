import { openLine } from '@augury/testing/cut-line'

/** A door on the way of a browser to a service: what goes through it can be cut off, as a bad line does. */
export interface Door {
  /** Where it stands, on 127.0.0.1. */
  port: number
  /** What makes a browser go through the door when it means the service. */
  browserFlag: string
  /** Ends every connection, and every new one until it is opened again. */
  cut(): void
  open(): void
  close(): Promise<void>
}

/** Opens a door before a service. */
export async function doorTo(serviceUrl: string): Promise<Door> {
  const { hostname, port, host } = new URL(serviceUrl)
  const line = await openLine(Number(port), { host: hostname })
  return {
    port: line.port,
    browserFlag: `--host-resolver-rules=MAP ${host} 127.0.0.1:${line.port}`,
    cut: () => {
      line.refuse(true)
      line.cut()
    },
    open: () => line.refuse(false),
    close: line.close,
  }
}
