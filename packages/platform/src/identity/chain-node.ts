import { createPublicClient, http, type PublicClient } from 'viem'

/** Milliseconds and bytes that a node has for an answer. */
const TIMEOUT = 3000
const ANSWER_MAX = 8192

/**
 * A node of the chain, asked once: what it answers late, or at length, is no answer. A contract may say that its answer lies elsewhere, at
 * addresses that it names (EIP-3668): whoever wrote it would choose what we ask in our own network, so nobody looks there.
 */
export const chainNode = (rpcUrl: string): PublicClient =>
  createPublicClient({ ccipRead: false, transport: http(rpcUrl, { timeout: TIMEOUT, retryCount: 0, fetchFn: bounded }) })

/** `fetch`, whose answers are counted as they come: a length that was announced is not believed. Follows nobody elsewhere. */
async function bounded(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX) throw new Error('the node answered more than it may')
    chunks.push(chunk)
  }
  return new Response(Buffer.concat(chunks), { status: response.status, headers: response.headers })
}
