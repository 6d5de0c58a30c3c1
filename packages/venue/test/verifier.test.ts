import { auguryOrderDomain } from '@augury/signing/order-domains'
import { type OrderFieldsV2, orderTypedData } from '@augury/signing/order-fields'
import { type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { Verifier } from '../src/serve/access/verifier.ts'
import { decodeVerdicts, encodeVerdicts, type Verdict } from '../src/serve/access/verifier-batch.ts'

const policy = { chainId: 80002, established: false }
const zero = `0x${'00'.repeat(32)}` as const
const wallets = [1, 2, 3].map((n) => privateKeyToAccount(`0x${n.toString(16).padStart(64, '0')}`))

const orderOf = (n: number, maker: Hex): OrderFieldsV2 => ({
  ...{ salt: String(n), maker, signer: maker, tokenId: String(2n ** 255n), makerAmount: '4200000', takerAmount: '10000000', side: 'BUY' },
  ...{ signatureType: 0, timestamp: '1767225600000', metadata: zero, builder: zero },
})

test('each of many signatures of one turn gets its own answer, in any order of answers', async () => {
  const verifier = new Verifier((error) => {
    throw error
  }, 2)
  onTestFinished(() => verifier.close())
  const domain = auguryOrderDomain(policy.chainId)
  const asked = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const wallet = wallets[n % wallets.length]!
      const order = orderOf(n, wallet.address)
      const typed = orderTypedData(order, domain) as Parameters<typeof hashTypedData>[0]
      return { n, wallet, order, hash: hashTypedData(typed), signature: await wallet.signTypedData(typed as never) }
    }),
  )
  const answers = await Promise.all(
    asked.flatMap(({ n, order, hash, signature }) => [
      verifier.order(n % 5 === 0 ? { ...order, makerAmount: '1' } : order, signature, n % 2 === 0, policy),
      verifier.recover(hash, n % 7 === 0 ? '0x1234' : signature),
    ]),
  )
  const expected = asked.flatMap(({ n, wallet, hash }) => {
    const signedBy = wallet.address.toLowerCase()
    return [n % 5 === 0 ? 'bad_order_signature' : { orderId: hash, signedBy }, n % 7 === 0 ? null : signedBy]
  })
  expect(answers).toEqual(expected)
})

test('an order that cannot be encoded is refused to its caller, and to no other', async () => {
  const verifier = new Verifier((error) => {
    throw error
  }, 1)
  onTestFinished(() => verifier.close())
  const bad = verifier.order({ ...orderOf(1, wallets[0]!.address), tokenId: 'an unknown token' }, '0x12', false, policy)
  const other = verifier.recover(zero, '0x12')
  await expect(bad).rejects.toThrow(/BigInt/)
  expect(await other).toBeNull()
})

test('a worker that dies takes along what it was given, and the next signature is answered', async () => {
  const failures: Error[] = []
  const verifier = new Verifier((error) => failures.push(error), 1)
  onTestFinished(() => verifier.close())
  const deadly = verifier.recover(zero, `0x${'ff'.repeat(70_000)}`) // longer than can be said of it
  await expect(deadly).rejects.toThrow()
  expect(failures).toHaveLength(1)
  expect(await verifier.recover(zero, '0x12')).toBeNull()
})

test('every verdict crosses over as it is', () => {
  const signer = `0x${'ab'.repeat(20)}` as const
  const verdicts: Verdict[] = [
    null,
    signer,
    { orderId: `0x${'cd'.repeat(32)}`, signedBy: signer } as const,
    ...(['bad_order_signature', 'wrong_exchange_domain', 'order_version_mismatch'] as const),
  ]
  expect(decodeVerdicts(encodeVerdicts(verdicts))).toEqual(verdicts)
  const [first, second] = decodeVerdicts(encodeVerdicts([new Error('one'), new Error('two')]))
  expect([String(first), String(second)]).toEqual([expect.stringContaining('one'), expect.stringContaining('two')])
})
