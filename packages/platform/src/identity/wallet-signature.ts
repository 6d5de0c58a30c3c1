import { recoverSigner } from '@augury/signing/recover'
import { SIGN_IN_SIGNATURE } from '@augury/wire/platform/sign-in-message'
import type { SiweMessage } from 'siwe'
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  hexToBytes,
  parseAbi,
} from 'viem'
import { isErc6492Signature, isErc8010Signature } from 'viem/utils'
import { type Chain, nodeOfChain } from '../chain/chain-node.ts'

/** What decides whether a wallet signed: a key, or the code of a contract wallet on the exchange's chain. */
export type SignedBy = 'key' | 'contract'

/** Returns who signed a message for its address, or null. */
export async function walletSignature(message: SiweMessage, signature: string, chain: Chain): Promise<SignedBy | null> {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(signature) || signature.length > 2 * SIGN_IN_SIGNATURE + 2) return null
  const text = message.prepareMessage()
  if (signature.length === 132 && (await isSignedByKey(message, text, signature as Hex))) return 'key'
  const { chainId, rpcUrl } = chain
  if (rpcUrl === null || message.chainId !== chainId) return null
  return (await isSignedByContract(message, text, signature as Hex, { chainId, rpcUrl })) ? 'contract' : null
}

/**
 * By the key that recovers, in a twentieth of the time that the library's own verification takes, and without the upper half of s. What
 * that looks at besides, names and times, our policy has refused before.
 */
async function isSignedByKey(message: SiweMessage, text: string, signature: Hex): Promise<boolean> {
  return (await recoverSigner(hexToBytes(hashMessage(text)), hexToBytes(signature))) === message.address.toLowerCase()
}

const erc1271 = parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)'])
/** What a contract wallet returns for a signature of its own: the magic value of ERC-1271, padded to 32 bytes. Nothing else counts. */
const VALID = `0x1626ba7e${'00'.repeat(28)}`
/** What the validator of ERC-6492 returns for a valid signature: one byte. */
const VALID_BEFORE_DEPLOYMENT = '0x01'

/**
 * By the wallet's own code (ERC-1271), also where it is not deployed yet (ERC-6492). Where there is no code only a key could have signed,
 * and that was looked at. A key may hand its address over to code; that it will is no proof (ERC-8010): an attacker who finds what it signed for
 * that would say how the code begins, and for whom it answers. A node that does not answer, or answers for another chain, proves nothing.
 */
async function isSignedByContract(message: SiweMessage, text: string, signature: Hex, chain: Chain & { rpcUrl: string }): Promise<boolean> {
  const to = message.address as Hex
  if (isErc8010Signature(signature)) return false
  try {
    const node = await nodeOfChain(chain)
    if (isErc6492Signature(signature)) {
      const args = [to, hashMessage(text), signature] as const
      const data = encodeDeployData({ abi: erc6492SignatureValidatorAbi, args, bytecode: erc6492SignatureValidatorByteCode })
      return (await node.call({ data })).data === VALID_BEFORE_DEPLOYMENT
    }
    if ((await node.getCode({ address: to })) === undefined) return false
    const data = encodeFunctionData({ abi: erc1271, args: [hashMessage(text), signature] })
    return (await node.call({ to, data })).data?.toLowerCase() === VALID
  } catch {
    return false
  }
}
