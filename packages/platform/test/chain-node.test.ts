import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { showSystem } from '../src/admin/system.ts'
import { watchNode } from '../src/chain/chain-node.ts'
import { testSite } from './test-site.ts'

/** A node that answers for a chain, on a port of its own unless given. */
async function nodeOf(chain: string, port = 0): Promise<Server> {
  const node = createServer(async (request, response) => {
    const { id } = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: chain }))
  }).listen(port, '127.0.0.1')
  await once(node, 'listening')
  return node
}
const portOf = (node: Server) => (node.address() as AddressInfo).port
const stop = async (node: Server) => {
  node.closeAllConnections()
  node.close()
  await once(node, 'close')
}

test('a node is asked for its chain at the start, and again when it comes back', async () => {
  let node = await nodeOf('0x13882')
  const port = portOf(node)
  const over = new AbortController()
  const reports: (number | null)[] = []
  await watchNode(
    `http://127.0.0.1:${port}`,
    async (chainId) => {
      reports.push(chainId)
      if (reports.length === 1) await stop(node)
      else if (reports.length === 2) node = await nodeOf('0x1', port)
      else over.abort()
    },
    over.signal,
    1,
  )
  expect(reports).toEqual([80_002, null, 1])
  await stop(node)
})

test.each([
  ['0x13882', 'ok'],
  ['0x1', 'down'],
  ['nothing', 'warning'],
])('admins see that the node answers %s', async (chain, state) => {
  const node = await nodeOf(chain)
  const { site } = await testSite({ rpcUrl: `http://127.0.0.1:${portOf(node)}` })
  const { data } = await showSystem(site)
  const part = data.parts.find(({ name }) => name === 'chain')!
  expect([part.state, part.remedy === '']).toEqual([state, state === 'ok'])
  await stop(node)
})
