import { recoverSigner } from '@augury/signing/recover'
import { SIGN_IN_SIGNATURE } from '@augury/wire/platform/sign-in'
import type { SiweMessage } from 'siwe'
import { type Hex, hashMessage, hexToBytes } from 'viem'
import { isErc6492Signature, isErc8010Signature } from 'viem/utils'
import { chainNode } from './chain-node.ts'

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

/**
 * By the key that recovers, in a twentieth of the time that the library's own verification takes, and without the upper half of s. What
 * that looks at besides, names and times, our policy has refused before.
 */
async function isSignedByKey(message: SiweMessage, text: string, signature: Hex): Promise<boolean> {
  return (await recoverSigner(hexToBytes(hashMessage(text)), hexToBytes(signature))) === message.address.toLowerCase()
}

/**
 * By the wallet's own code (ERC-1271), also where it is not deployed yet (ERC-6492). Where there is no code only a key could have signed,
 * and that was looked at. A key may hand its address over to code; that it will is no proof (ERC-8010): whoever finds what it signed for
 * that would say how the code begins, and for whom it answers. A node that does not answer proves nothing.
 */
async function isSignedByContract(message: SiweMessage, text: string, signature: Hex, rpcUrl: string): Promise<boolean> {
  const node = chainNode(rpcUrl)
  const address = message.address as Hex
  if (isErc8010Signature(signature)) return false
  try {
    if (!isErc6492Signature(signature) && (await node.getCode({ address })) === undefined) return false
    return await node.verifyMessage({ address, message: text, signature })
  } catch {
    return false
  }
}
