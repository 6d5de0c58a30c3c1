import { setTimeout } from 'node:timers/promises'
import { createPublicClient, http, type PublicClient } from 'viem'

/** Milliseconds and bytes that a node has for an answer. */
const TIMEOUT = 3000
const ANSWER_MAX = 8192

/**
 * A node of the chain, asked once: what it answers late, or at length, is no answer. A contract may say that its answer lies elsewhere, at
 * addresses that it names (EIP-3668): its author would choose what we request in our own network, so such addresses are not followed.
 */
export const chainNode = (rpcUrl: string): PublicClient =>
  createPublicClient({ ccipRead: false, transport: http(rpcUrl, { timeout: TIMEOUT, retryCount: 0, fetchFn: bounded }) })

/** `fetch`, whose answers are counted as they come: a length that was announced is not believed. Follows no redirect. */
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

/** The exchange's chain, and the JSON-RPC address of a node; null without one. */
export interface Chain {
  chainId: number
  rpcUrl: string | null
}

/**
 * The node of the exchange's chain. Throws if it serves another chain or does not answer. Asked before each use: the node behind an address
 * may have changed since the start.
 */
export async function nodeOfChain({ chainId, rpcUrl }: Chain & { rpcUrl: string }): Promise<PublicClient> {
  const node = chainNode(rpcUrl)
  const served = await node.getChainId()
  if (served !== chainId) throw new Error(`the node of RPC_URL serves chain ${served} instead of ${chainId}`)
  return node
}

/** What a node answers for: a chain ID, or null if it does not answer. */
type Answered = number | null

/** The chain that a node answers for; null if it does not answer. */
export const chainOf = (rpcUrl: string): Promise<Answered> =>
  chainNode(rpcUrl)
    .getChainId()
    .catch(() => null)

/** Milliseconds between two looks at the node. */
const LOOK_MS = 30_000

/**
 * Queries the chain of the node now and then every half minute, and calls `report` with the first answer and with every one that differs from
 * the one before: at the start, when the node goes away, and when it comes back. Ends when `signal` aborts.
 */
export async function watchNode(rpcUrl: string, report: (chainId: Answered) => void, signal: AbortSignal, lookMs = LOOK_MS): Promise<void> {
  for (let before: Answered | undefined; !signal.aborted; ) {
    const answered = await chainOf(rpcUrl)
    if (answered !== before && !signal.aborted) report(answered)
    before = answered
    await setTimeout(lookMs, null, { signal, ref: false }).catch(() => {})
  }
}
