import { createServer } from 'node:net'
import { freePort } from '@augury/testing/free-port'
import { expect, test } from 'vitest'
import { requireFree } from '../src/ports.ts'

test('taken ports are named with their variables and what to do', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  const wanted = [
    { variable: 'WEB_PORT', port },
    { variable: 'CLOB_PORT', port: await freePort() },
  ]
  await expect(requireFree(wanted)).rejects.toThrow(
    `Port ${port} (WEB_PORT) is taken by another program.\nStop that program, or choose other ports: WEB_PORT=`,
  )
  await new Promise((resolve) => other.close(resolve))
  await requireFree(wanted)
})
