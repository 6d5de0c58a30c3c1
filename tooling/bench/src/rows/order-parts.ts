import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { hmacOf, signingKey } from '@augury/signing/hmac'
import { keccak } from '@augury/signing/keccak'
import { messageHead } from '@augury/signing/message'
import { keccak256 } from 'viem'
import { cpuSeconds } from '../cpu-time.ts'
import { interleave } from '../interleave.ts'
import type { Row } from '../row.ts'

/** What proves and reads an order, each alone: what no order costs less than. */
export const orderParts: Row = {
  id: '6',
  work: 'HMAC of an order, keccak of 200 bytes and JSON.parse of 700, each alone',
  target: 'the parts of 6 and 8',
  async measure({ rounds, quick }) {
    const secret = randomBytes(32)
    const order = { tokenId: '7'.repeat(77), side: 'BUY', orderType: 'GTC', price: '0.500', size: '5', note: '' }
    const text = JSON.stringify({ ...order, note: 'n'.repeat(700 - JSON.stringify(order).length) })
    const [head, body, bytes] = [messageHead('1767225600', 'POST', '/order'), Buffer.from(text), randomBytes(200)]
    const kept = createSecretKey(secret)
    const encoded = secret.toString('base64')
    const key = signingKey(encoded)
    const byNode = (of: Parameters<typeof createHmac>[1]) => createHmac('sha256', of).update(head).update(body).digest()
    const parts: [name: string, work: () => unknown][] = [
      ['ours: HMAC, key made once', () => hmacOf(key, head, body)],
      ['createHmac, key object kept', () => byNode(kept)],
      ['createHmac, key decoded each time', () => byNode(Buffer.from(encoded, 'base64'))],
      ['ours: keccak', () => keccak(bytes)],
      ['keccak of viem', () => keccak256(bytes, 'bytes')],
      ['JSON.parse', () => JSON.parse(text)],
    ]
    const [mine, one, other, hashed, theirs, read] = parts.map(([, work]) => work())
    if (!byNode(kept).equals(mine as Buffer) || String(one) !== String(mine) || String(other) !== String(mine))
      throw new Error('an HMAC is wrong')
    if (String(hashed) !== String(theirs)) throw new Error('a keccak is wrong')
    if (JSON.stringify(read) !== text || body.length !== 700) throw new Error('the order is not what was read')
    const times = quick ? 5_000 : 30_000
    const contenders = parts.map(([name, work]) => ({
      name,
      round: () => {
        const begun = cpuSeconds()
        for (let n = 0; n < times; n++) work()
        return ((cpuSeconds() - begun) * 1e6) / times
      },
    }))
    for (const { round } of contenders) round() // warms up
    const medians = await interleave(contenders, rounds)
    return { figures: [...medians].map(([name, value]) => ({ name, value, unit: 'µs' })), met: null, note: 'processor time' }
  },
}
