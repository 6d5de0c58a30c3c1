import { createServer } from 'node:http'
import { join } from 'node:path'
import { type Child, startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Starts the real program, and waits until it listens. */
export async function startProgram(environment: Record<string, string>): Promise<Child & { url: string }> {
  const port = await freePort()
  const cwd = join(import.meta.dirname, '..')
  const child = startChild(process.execPath, ['src/main.ts'], { cwd, env: { ...environment, SETTLER_PORT: String(port) } })
  await child.waitFor(/"msg":"ready"/)
  return { ...child, url: `http://127.0.0.1:${port}` }
}

/** A small remote signer with the API of Web3Signer and one key. `signed` counts its signatures. */
export async function startRemoteSigner(key: Hex) {
  const account = privateKeyToAccount(key)
  const signer = { signed: 0, url: '', close: () => void server.close() }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method, params } = JSON.parse(text)
    const [{ from, to, data, chainId, nonce, ...amounts }] = params
    const isOurs = method === 'eth_signTransaction' && from === account.address.toLowerCase()
    const [value, gas, maxFeePerGas, maxPriorityFeePerGas] = ['value', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'].map((name) =>
      BigInt(amounts[name]),
    ) as [bigint, bigint, bigint, bigint]
    const fields = { to, data, chainId: Number(chainId), nonce: Number(nonce), value, gas, maxFeePerGas, maxPriorityFeePerGas }
    const result = isOurs && (await account.signTransaction({ ...fields, type: 'eip1559' }))
    signer.signed++
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify(isOurs ? { jsonrpc: '2.0', id, result } : { jsonrpc: '2.0', id, error: { code: -32000, message: 'no key' } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  signer.url = `http://127.0.0.1:${port}`
  return signer
}
