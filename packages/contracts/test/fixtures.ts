import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '@augury/signing/sha256'
import { assetBytes, bytesHex, compareBytes, holderOf, pathOf, putRecord, RECORD_BYTES, stateTree } from '@augury/signing/state-tree'
import { type Prng, prng } from '@augury/testing/prng'
import { encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import { stepOf, weightsTree } from '../src/weights.ts'

const PROOF = parseAbiParameters([
  'bytes32, uint32, address, Proof',
  'struct Proof { bytes32 condition; uint8 outcome; bytes32 salt; uint64 amount; uint64 index; uint64 holders; uint64 place; Step[] path; Step[] top; }',
  'struct Step { bytes32 hash; uint64 sum; }',
])
const WEIGHT = parseAbiParameters(['bytes32, bytes32, uint64, uint64, uint64, Step[]', 'struct Step { bytes32 hash; uint64 sum; }'])
const NO_CONDITION: Hex = `0x${'00'.repeat(32)}`

/** Writes random roots with a proof each, and random trees of weights, for the Solidity tests to read. */
export function writeFixtures(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const random = prng(33)
  const bytes = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, () => below(random, 256))
  writeFileSync(join(folder, 'roots.txt'), Array.from({ length: 1_000 }, () => `${rootCase(random, bytes)}\n`).join(''))
  writeFileSync(join(folder, 'weights.txt'), Array.from({ length: 200 }, () => `${weightCase(random, bytes)}\n`).join(''))
}

const below = (random: Prng, limit: number): number => random.integer(0, limit - 1)

type Bytes = (length: number) => Uint8Array<ArrayBuffer>

function rootCase(random: Prng, bytes: Bytes): Hex {
  const members = Array.from({ length: 1 + below(random, 24) }, () => ({ account: bytes(20), salt: bytes(32) }))
  const names = [
    null,
    ...Array.from({ length: below(random, 6) }, () => ({ condition: bytesHex(bytes(32)), outcome: below(random, 2) as 0 | 1 })),
  ]
  const state = names.map((name) => {
    const asset = assetBytes(name)
    const held = members
      .slice(0, 1 + below(random, members.length))
      .map((member) => ({ ...member, holder: holderOf(sha256, member.salt, member.account, asset), amount: 1 + below(random, 2 ** 45) }))
      .sort((a, b) => compareBytes(a.holder, b.holder))
    const leaves = new Uint8Array(held.length * RECORD_BYTES)
    for (const [index, { holder, amount }] of held.entries()) putRecord(leaves, index, holder, amount)
    return { name, asset, held, leaves }
  })
  state.sort((a, b) => compareBytes(a.asset, b.asset))
  const tree = stateTree(sha256, state)
  const place = below(random, state.length)
  const { name, held } = state[place]!
  const index = below(random, held.length)
  const { account, salt, amount } = held[index]!
  const proof = {
    condition: name?.condition ?? NO_CONDITION,
    outcome: name?.outcome ?? 0,
    salt: bytesHex(salt),
    amount: BigInt(amount),
    index: BigInt(index),
    holders: BigInt(held.length),
    place: BigInt(place),
    path: pathOf(sha256, tree.assets[place]!.records, held.length, index).map(stepOf),
    top: pathOf(sha256, tree.records, state.length, place).map(stepOf),
  }
  return encodeAbiParameters(PROOF, [bytesHex(tree.root), state.length, bytesHex(account), proof])
}

function weightCase(random: Prng, bytes: Bytes): Hex {
  const weights = Array.from({ length: 1 + below(random, 30) }, () => ({ condition: bytesHex(bytes(32)), weight: below(random, 10_000) }))
  const { commitment, proofOf } = weightsTree(sha256, weights)
  const { condition } = weights[below(random, weights.length)]!
  const { weight, index, conditions, path } = proofOf(condition)!
  return encodeAbiParameters(WEIGHT, [commitment, condition, weight, index, conditions, path])
}
