import { signOrder } from '@augury/client/orders'
import { hasNativeRecovery, recoverPortable, recoverSigner } from '@augury/signing/recover'
import { keccak256, toBytes } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { cpuSeconds } from '../cpu-time.ts'
import type { Row } from '../row.ts'
import { bareRequests, medianRate, type Rate, rateOf, WARM_REQUESTS } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'
import type { Trader } from '../service/trader.ts'
import type { Market } from '../service/venue-scene.ts'

/** The share of the bare server that is asked for: 8 000 and 3 000 a second of 80 000 (ADR 0023). */
const FLOOR = hasNativeRecovery ? 0.1 : 0.0375

const KEY = `0x${'11'.repeat(32)}` as const

/** Orders that wallets sign; each takes about a millisecond to make here, many times what it takes to check. */
async function signed(traders: readonly Trader[], market: Market, chainId: number, count: number): Promise<Buffer[]> {
  const bodies: { trader: Trader; body: object }[] = []
  for (let n = 0; n < count; n++) {
    const trader = traders[n % traders.length]!
    const intent = { tokenId: n % 2 ? market.yes : market.no, side: 'BUY', orderType: 'GTC', price: '0.500', size: '5' } as const
    const { body } = await signOrder(intent, { wallet: trader.wallet, chainId, apiKey: trader.key.key, tickSize: '0.001' })
    bodies.push({ trader, body })
  }
  return bodies.map(({ trader, body }) => trader.request('POST', '/order', body).bytes)
}

/** Recoveries a second of one thread: what bounds these orders from above, two threads taken together. */
async function recoveries(count: number): Promise<{ ours: number; portable: number }> {
  const digest = keccak256(toBytes('an order'), 'bytes')
  const signature = toBytes(await sign({ hash: `0x${Buffer.from(digest).toString('hex')}`, privateKey: KEY, to: 'hex' }))
  const expected = privateKeyToAccount(KEY).address.toLowerCase()
  const parity = signature[64] === 28 ? 1 : 0
  const rate = async (recover: () => Promise<string | null>) => {
    const begun = cpuSeconds()
    for (let n = 0; n < count; n++) if ((await recover()) !== expected) throw new Error('the recovered signer differs')
    return count / (cpuSeconds() - begun)
  }
  return {
    ours: await rate(() => recoverSigner(digest, signature)),
    portable: await rate(() => recoverPortable(digest, { rs: signature.subarray(0, 64), parity })),
  }
}

/** Orders whose authorisation is a wallet's signature over typed data, checked in other threads. */
export const walletOrders: Row = {
  id: '8',
  work: 'EIP-712 order, committed, 64 connections',
  target: '≥ 0.10 × bare native (8 k/s of 80 k), ≥ 0.0375 × portable (3 k/s)',
  async measure({ quick }) {
    const { scene, bare } = await sharedScene()
    const market = await scene.market('wallet-orders')
    const { chain_id: chainId } = (await (await fetch(`${scene.url}/status`)).json()) as { chain_id: number }
    // As many as take a second: in the first tenths after the signing here, the server finds its caches cold.
    const count = quick ? 300 : 6_000
    const rates: Rate[] = []
    const limit: Rate[] = []
    const warming = quick ? 1 : Math.ceil(WARM_REQUESTS / count)
    for (let round = -warming; round < 3; round++) {
      const orders = await signed(scene.traders, market, chainId, count)
      const theirs = await rateOf(bare, bareRequests(count * 3))
      const rate = await rateOf(scene.server, orders)
      if (round < 0) continue
      rates.push(rate)
      limit.push(theirs)
    }
    await scene.checkLedger()
    const [mine, theirs] = [medianRate(rates), medianRate(limit)]
    const recovery = await recoveries(quick ? 300 : 1_000)
    return {
      figures: [
        { name: 'ours', value: mine.perSecond, unit: '/s' },
        { name: 'bare node:http', value: theirs.perSecond, unit: '/s' },
        { name: `recovery alone (${hasNativeRecovery ? 'native' : 'no native library here'})`, value: recovery.ours, unit: '/s a thread' },
        { name: 'portable recovery', value: recovery.portable, unit: '/s a thread' },
      ],
      met: mine.perSecond / theirs.perSecond >= FLOOR,
      note: `event loop ${mine.loopMicros.toFixed(0)} µs a request, all threads ${mine.allMicros.toFixed(0)}; p99 ${mine.p99.toFixed(1)} ms`,
    }
  },
}
