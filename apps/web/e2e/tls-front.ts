import { type AddressInfo, connect, type Server } from 'node:net'
import { createServer } from 'node:tls'
import { generate } from 'selfsigned'

/** What the proxy is in a deployment: each host of it, over TLS, leads to a program on this machine. */
export interface TlsFront {
  /** What makes a browser find the hosts here. It has to be told not to check certificates. */
  browserFlag: string
  close(): void
}

/** Opens the front: `programs` are the addresses of programs by the public addresses that lead to them. */
export async function tlsFront(programs: Readonly<Record<string, string>>): Promise<TlsFront> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'augury' }], { keyType: 'ec', curve: 'P-256' })
  const servers: Server[] = []
  const rules: string[] = []
  for (const [publicUrl, program] of Object.entries(programs)) {
    const { hostname, port } = new URL(program)
    const server = createServer({ key, cert, ALPNProtocols: ['http/1.1'] }, (caller) => {
      const to = connect({ host: hostname, port: Number(port) })
      caller.pipe(to).pipe(caller)
      caller.on('error', () => to.destroy())
      to.on('error', () => caller.destroy())
    })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
    servers.push(server)
    rules.push(`MAP ${new URL(publicUrl).hostname}:443 127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  return { browserFlag: `--host-resolver-rules=${rules.join(',')}`, close: () => servers.forEach((server) => void server.close()) }
}
