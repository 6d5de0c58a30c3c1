import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A door on the way of a browser to a service: what goes through it can be cut off, as a bad line does. */
export interface Door {
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
  const through = new Set<Socket>()
  let isOpen = true
  const server = createServer((browser) => {
    if (!isOpen) return void browser.destroy()
    const service = connect(Number(port), hostname)
    for (const [socket, other] of [
      [browser, service],
      [service, browser],
    ] as const) {
      through.add(socket)
      socket.pipe(other)
      socket
        .on('error', () => {})
        .on('close', () => {
          through.delete(socket)
          other.destroy()
        })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const end = () => {
    for (const socket of through) socket.destroy()
  }
  return {
    browserFlag: `--host-resolver-rules=MAP ${host} 127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isOpen = false
      end()
    },
    open: () => {
      isOpen = true
    },
    close: () => {
      end()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
