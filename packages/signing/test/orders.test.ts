import { fc } from '@augury/testing/properties'
import { concatHex, type Hex, hashTypedData, hexToBytes, numberToHex, stringToHex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { domainSeparator, orderDigest, orderHash } from '../src/order-digest.ts'
import { auguryOrderDomain, establishedOrderDomain, type OrderDomain } from '../src/order-domains.ts'
import { type OrderFields, type OrderFieldsV1, type OrderFieldsV2, orderTypedData } from '../src/order-fields.ts'
import { verifyOrder } from '../src/order-signature.ts'
import { recoverPlain, recoverPortable, recoverSigner } from '../src/recover.ts'

// The first two accounts of the well-known test mnemonic.
const wallet = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const other = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const zero = `0x${'00'.repeat(32)}` as const

const common = {
  salt: '441806400000',
  maker: wallet.address,
  signer: wallet.address,
  tokenId: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
  makerAmount: '4200000',
  takerAmount: '10000000',
  side: 'BUY',
  signatureType: 0,
} as const
const v1: OrderFieldsV1 = { ...common, taker: `0x${'00'.repeat(20)}`, expiration: '0', nonce: '0', feeRateBps: '0' }
const v2: OrderFieldsV2 = { ...common, timestamp: '1767225600000', metadata: zero, builder: zero }

const hashOf = (order: OrderFields, domain: OrderDomain): Hex =>
  hashTypedData(orderTypedData(order, domain) as Parameters<typeof hashTypedData>[0])
const sign = (order: OrderFields, domain: OrderDomain, by = wallet) =>
  by.signTypedData(orderTypedData(order, domain) as Parameters<typeof by.signTypedData>[0])

// Small ones too: they are encoded differently.
const uint = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 17n })).map(String)
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => `0x${Buffer.from(value).toString('hex')}` as Hex)
const fields = {
  salt: uint,
  maker: hex(20),
  signer: hex(20),
  tokenId: uint,
  makerAmount: uint,
  takerAmount: uint,
  side: fc.constantFrom('BUY', 'SELL'),
  signatureType: fc.constantFrom(0, 1, 2, 3),
} as const
const orders = fc.oneof(
  fc.record({ ...fields, taker: hex(20), expiration: uint, nonce: uint, feeRateBps: uint }),
  fc.record({ ...fields, timestamp: uint, metadata: hex(32), builder: hex(32) }),
)

describe('the digest of an order', () => {
  test('equals that of the general encoder, for every order', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const domains = [
          auguryOrderDomain(1),
          ...([1, 2, 3] as const).map((version) => establishedOrderDomain(137, version, version === 1)!),
        ]
        for (const domain of domains) expect(orderDigest(order, domain)).toBe(hashOf(order, domain))
      }),
    )
  })

  const contract = `0x${'11'.repeat(20)}` as const
  test.each([
    ['version 1', v1, 1, '0xe4b4a0e6f9f2a8dcc5f90c58205505c03576b1d894ef45ecf6ba26e7961d8bc1'],
    ['version 2', v2, 2, '0x19c658a8b9d6f0760f05f986de01c09926ec4737485dbcf88ddcb8a804d84ab0'],
    [
      'version 2 of a contract wallet',
      { ...v2, maker: contract, signer: contract, signatureType: 3 },
      2,
      '0x0abe89b2a8f456e93ffba71d60487fff7b268c9b469719da165d4e2c6cabb305',
    ],
    ['version 3', v2, 3, '0x773b989eddf235d5c30c7727ea90013a6dff27dd30029030852dc63ae38d1415'],
  ] as [string, OrderFields, 1 | 2 | 3, Hex][])('is the one of established clients for %s', (_, order, version, id) => {
    expect(orderDigest(order, establishedOrderDomain(137, version, false)!)).toBe(id)
  })

  test('differs in every domain', () => {
    const domains = [137, 80002].flatMap((chainId) => [
      auguryOrderDomain(chainId),
      ...([1, 2, 3] as const).flatMap((version) => [
        establishedOrderDomain(chainId, version, false)!,
        establishedOrderDomain(chainId, version, true)!,
      ]),
    ])
    const ids = new Set(domains.map((domain) => orderDigest(v2, domain)))
    expect(ids.size).toBe(domains.length - 2) // version 3 has one contract for both kinds of market, on both chains
  })
})

describe('a signed order is accepted', () => {
  const policy = { chainId: 80002, established: true }
  test.each(
    [137, 80002].flatMap((chainId) =>
      ([1, 2, 3] as const).flatMap((version) => [false, true].map((negRisk) => [chainId, version, negRisk] as const)),
    ),
  )('on chain %i in established version %i, neg-risk %s', async (chainId, version, negRisk) => {
    const order = version === 1 ? v1 : v2
    const domain = establishedOrderDomain(chainId, version, negRisk)!
    const verified = await verifyOrder(order, await sign(order, domain), negRisk, { chainId, established: true })
    expect(verified).toEqual({ orderId: hashOf(order, domain), signedBy: wallet.address.toLowerCase() })
  })

  test.each([false, true])('in our own domain, for plain and neg-risk markets alike (%s)', async (negRisk) => {
    const signature = await sign(v2, auguryOrderDomain(80002))
    expect(await verifyOrder(v2, signature, negRisk, { chainId: 80002, established: false })).toMatchObject({
      signedBy: wallet.address.toLowerCase(),
    })
  })

  test('from a contract wallet by its owner', async () => {
    const contract = `0x${'11'.repeat(20)}` as const
    const order: OrderFieldsV2 = { ...v2, maker: contract, signer: contract, signatureType: 3 }
    const domain = establishedOrderDomain(80002, 2, false)!
    const signature = await contractSignature(order, domain)
    const verified = await verifyOrder(order, signature, false, policy)
    expect(verified).toEqual({ orderId: hashOf(order, domain), signedBy: wallet.address.toLowerCase() })
    const cut = `${signature.slice(0, -2)}00` as Hex
    expect(await verifyOrder(order, cut, false, policy)).toBe('bad_order_signature')
    expect(await verifyOrder({ ...order, takerAmount: '1' }, signature, false, policy)).toBe('bad_order_signature')
  })
})

/** The nested signature of a contract wallet, built with the general encoder. */
async function contractSignature(order: OrderFieldsV2, domain: OrderDomain): Promise<Hex> {
  const typed = orderTypedData(order, domain)
  const inner = await wallet.signTypedData({
    domain,
    primaryType: 'TypedDataSign',
    types: {
      ...typed.types,
      TypedDataSign: [
        { name: 'contents', type: 'Order' },
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
        { name: 'salt', type: 'bytes32' },
      ],
    },
    message: {
      contents: typed.message,
      name: 'DepositWallet',
      version: '1',
      chainId: BigInt(domain.chainId),
      verifyingContract: order.signer,
      salt: zero,
    },
  } as unknown as Parameters<typeof wallet.signTypedData>[0])
  const type = `Order(${typed.types.Order.map(({ name, type }) => `${type} ${name}`).join(',')})`
  return concatHex([
    inner,
    toHex(domainSeparator(domain)),
    toHex(orderHash(order)),
    stringToHex(type),
    numberToHex(type.length, { size: 2 }),
  ])
}

describe('a signed order is refused', () => {
  const policy = { chainId: 80002, established: true }
  const plain = establishedOrderDomain(80002, 2, false)!
  test.each<[string, () => Promise<[OrderFields, Hex, boolean, typeof policy]>, string]>([
    ['signed by another wallet', async () => [v2, await sign(v2, plain, other), false, policy], 'bad_order_signature'],
    ['changed afterwards', async () => [{ ...v2, makerAmount: '1' }, await sign(v2, plain), false, policy], 'bad_order_signature'],
    ['with another side', async () => [{ ...v2, side: 'SELL' }, await sign(v2, plain), false, policy], 'bad_order_signature'],
    ['for plain markets in a neg-risk one', async () => [v2, await sign(v2, plain), true, policy], 'wrong_exchange_domain'],
    [
      'for neg-risk markets in a plain one',
      async () => [v1, await sign(v1, establishedOrderDomain(80002, 1, true)!), false, policy],
      'wrong_exchange_domain',
    ],
    ['on another chain', async () => [v2, await sign(v2, establishedOrderDomain(137, 2, false)!), false, policy], 'bad_order_signature'],
    [
      'of version 1 where only ours is on',
      async () => [v1, await sign(v1, plain), false, { ...policy, established: false }],
      'order_version_mismatch',
    ],
    [
      'of version 1 in its own domain where only ours is on',
      async () => [v1, await sign(v1, establishedOrderDomain(80002, 1, false)!), false, { ...policy, established: false }],
      'order_version_mismatch',
    ],
    [
      'for the same kind of market in a domain that is off here',
      async () => [v2, await sign(v2, plain), false, { ...policy, established: false }],
      'wrong_exchange_domain',
    ],
    ['with a broken signature', async () => [v2, `0x${'00'.repeat(65)}`, false, policy], 'bad_order_signature'],
    ['with a short signature', async () => [v2, '0x1234', false, policy], 'bad_order_signature'],
  ])('%s', async (_, make, refusal) => {
    const [order, signature, negRisk, rules] = await make()
    expect(await verifyOrder(order, signature, negRisk, rules)).toBe(refusal)
  })
})

describe('recovering a signer', () => {
  test('native, WebAssembly and plain code agree, on garbage too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array({ minLength: 64, maxLength: 64 }),
        async (digest, rs) => {
          rs[32] = rs[32]! & 0x7f
          const found = await recoverSigner(digest, Uint8Array.of(...rs, 27))
          expect([await recoverPortable(digest, { rs, parity: 0 }), await recoverPlain(digest, { rs, parity: 0 })]).toEqual([found, found])
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a signature is not malleable: the larger s is refused', async () => {
    const digest = hexToBytes(hashOf(v2, auguryOrderDomain(1)))
    const signature = hexToBytes(await sign(v2, auguryOrderDomain(1)))
    expect(await recoverSigner(digest, signature)).toBe(wallet.address.toLowerCase())
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${Buffer.from(signature.subarray(32, 64)).toString('hex')}`)
    const twin = new Uint8Array(signature)
    twin.set(Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex'), 32)
    twin[64] = signature[64] === 27 ? 28 : 27
    expect(await recoverSigner(digest, twin)).toBeNull()
  })
})
