import { encodePacked, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { conditionId, negRiskMarketId, questionId, tokenId } from '../src/ids.ts'
import { clientOrderHash, namedRequestId, plainOrderId, referenceHash, requestId } from '../src/order-id.ts'
import { transactionHash } from '../src/transaction-hash.ts'

const creator = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

describe('ids', () => {
  test('are hashes of packed fields, as a contract would compute them', () => {
    const question = keccak256(encodePacked(['string'], [`augury:${creator}:will-it-rain`]))
    const condition = keccak256(encodePacked(['address', 'bytes32', 'uint256'], [creator, question, 2n]))
    expect(questionId(creator, 'will-it-rain')).toBe(question)
    expect(conditionId(creator, question)).toBe(condition)
    for (const outcome of [0, 1] as const) {
      expect(tokenId(condition, outcome)).toBe(BigInt(keccak256(encodePacked(['bytes32', 'uint8'], [condition, outcome]))).toString())
    }
    for (const [seq, n] of [
      [7, 2],
      [Number.MAX_SAFE_INTEGER, 2 ** 32 - 1],
      [2 ** 32, 0],
    ] as const) {
      const packed = encodePacked(['string', 'uint64', 'uint64'], ['main', BigInt(seq), BigInt(n)])
      expect(transactionHash('main', seq, n)).toBe(keccak256(packed))
    }
  })

  test('do not depend on the case of an address', () => {
    const upper = creator.toUpperCase().replace('0X', '0x') as typeof creator
    const question = questionId(creator, 'a')
    expect(questionId(upper, 'a')).toBe(question)
    expect(conditionId(upper, question)).toBe(conditionId(creator, question))
    expect(negRiskMarketId(upper, 'e')).toBe(negRiskMarketId(creator, 'e'))
  })

  test('of a neg-risk event end in a zero byte', () => {
    expect(negRiskMarketId(creator, 'who-wins')).toMatch(/^0x[0-9a-f]{62}00$/)
  })

  test('of requests differ by kind, account, signature and leg', () => {
    const signature = Buffer.alloc(32, 1)
    const ids = [
      plainOrderId(creator, signature, 0),
      plainOrderId(creator, signature, 1),
      plainOrderId(`0x${'11'.repeat(20)}`, signature, 0),
      plainOrderId(creator, Buffer.alloc(32, 2), 0),
      clientOrderHash(creator, 'a'),
      clientOrderHash(creator, 'b'),
      clientOrderHash(`0x${'11'.repeat(20)}`, 'a'),
      namedRequestId(creator, 'a', ['split', 1]),
      namedRequestId(`0x${'11'.repeat(20)}`, 'a', ['split', 1]),
      namedRequestId(creator, 'b', ['split', 1]),
      namedRequestId(creator, 'a', ['split', 2]),
      requestId('key', signature),
      referenceHash('a'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^0x[0-9a-f]{64}$/)
  })
})
