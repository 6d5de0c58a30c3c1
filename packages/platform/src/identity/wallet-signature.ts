import { recoverSigner } from '@augury/signing/recover'
import { SIGN_IN_SIGNATURE } from '@augury/wire/platform/sign-in'
import type { SiweMessage } from 'siwe'
import { createPublicClient, type Hex, hashMessage, hexToBytes, http } from 'viem'

/** Milliseconds that a node has to answer. */
const NODE_TIMEOUT = 3000

/** What decides whether a wallet signed: a key, or the code of a contract wallet on the exchange's chain. */
export type SignedBy = 'key' | 'contract'

/** Where contract wallets are asked: the exchange's chain, if a node was configured. */
export interface Chain {
  chainId: number
  rpcUrl: string | null
}

/** Who signed a message for its address; null when nobody did. */
export async function walletSignature(message: SiweMessage, signature: string, chain: Chain): Promise<SignedBy | null> {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(signature) || signature.length > 2 * SIGN_IN_SIGNATURE + 2) return null
  const text = message.prepareMessage()
  if (signature.length === 132 && (await isSignedByKey(message, text, signature as Hex))) return 'key'
  if (chain.rpcUrl === null || message.chainId !== chain.chainId) return null
  return (await isSignedByContract(message, text, signature as Hex, chain.rpcUrl)) ? 'contract' : null
}

/** Ours first: it is quick, and refuses the upper half of s. Then the library, which wrote the standard. */
async function isSignedByKey(message: SiweMessage, text: string, signature: Hex): Promise<boolean> {
  const signer = await recoverSigner(hexToBytes(hashMessage(text)), hexToBytes(signature))
  if (signer !== message.address.toLowerCase()) return false
  // Times were checked against our own clock, which tests move.
  const time = message.issuedAt === undefined ? {} : { time: message.issuedAt }
  const { success } = await message.verify(
    { signature, domain: message.domain, nonce: message.nonce, ...time },
    { suppressExceptions: true },
  )
  return success
}

/** By the wallet's own code (ERC-1271), also where it is not deployed yet (ERC-6492). A node that does not answer proves nothing. */
async function isSignedByContract(message: SiweMessage, text: string, signature: Hex, rpcUrl: string): Promise<boolean> {
  const node = createPublicClient({ transport: http(rpcUrl, { timeout: NODE_TIMEOUT, retryCount: 0 }) })
  try {
    return await node.verifyMessage({ address: message.address as Hex, message: text, signature })
  } catch {
    return false
  }
}
