import { anonymous } from '@augury/platform/authorization/viewer'
import { readSession, startSession } from '@augury/platform/identity/sessions'
import { openSite } from '@augury/platform/site/site'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { cpuSeconds } from '../cpu-time.ts'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { p99, rawRequest } from '../service/http-load.ts'
import { platformScene } from '../service/platform-scene.ts'
import { platformSettings } from '../service/platform-settings.ts'
import { rateOf } from '../service/rate.ts'

let wallets = 1

/** A nonce and a signed message, for members who were here before. What the wallet does is not counted. */
export const signIns: Row = {
  id: '21',
  work: 'sign-in round: nonce and verify',
  target: '≥ 300/s on one core',
  async measure({ rounds, quick }) {
    const scene = await platformScene(quick)
    const count = quick ? 100 : 400
    const people = Array.from({ length: count }, () => privateKeyToAccount(`0x${(wallets++).toString(16).padStart(64, '0')}`))
    const seconds: number[] = []
    const micros: number[] = []
    for (let round = -1; round < Math.min(rounds, 3); round++) {
      const jar = await Promise.all(people.map(() => nonceOf(scene.server.port)))
      const asking = await rateOf(
        scene.server,
        people.map(() => rawRequest('POST', '/api/auth/siwe/nonce', {}, '{}')),
      )
      const signed = await Promise.all(
        people.map(async (wallet, n) => {
          const { nonce, cookie } = jar[n]!
          const message = createSiweMessage({
            domain: 'bench.test',
            address: wallet.address,
            uri: 'https://bench.test',
            version: '1',
            chainId: 80002,
            nonce,
            issuedAt: new Date(),
          })
          const body = JSON.stringify({ message, signature: await wallet.signMessage({ message }) })
          return rawRequest('POST', '/api/auth/siwe/verify', { Cookie: cookie }, body)
        }),
      )
      const verifying = await rateOf(scene.server, signed)
      if (round < 0) continue // the first time makes the members
      seconds.push(1 / asking.perSecond + 1 / verifying.perSecond)
      micros.push(asking.allMicros + verifying.allMicros)
    }
    const perCore = 1e6 / median(micros)
    return {
      figures: [
        { name: 'rounds a second of processor time', value: perCore, unit: '/s' },
        { name: 'rounds a second', value: 1 / median(seconds), unit: '/s' },
      ],
      met: perCore >= 300,
      note: `${(median(micros) / 1000).toFixed(2)} ms of the program's processor time a round, all threads; the database's is its own`,
    }
  },
}

async function nonceOf(port: number): Promise<{ nonce: string; cookie: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/siwe/nonce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { nonce } = (await answer.json()) as { nonce: string }
  return { nonce, cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! }
}

/** What every request of a member begins with: one indexed read, nothing kept. */
export const sessionChecks: Row = {
  id: '22',
  work: 'session check, one at a time',
  target: 'p99 < 1 ms',
  async measure({ quick }) {
    const { databaseUrl } = await platformScene(quick)
    const site = await openSite(platformSettings(databaseUrl, '.data'))
    try {
      const address = `0x${(wallets++).toString(16).padStart(40, '0')}`
      const code = address.slice(-12)
      const [user]: { id: string }[] = await site
        .em()
        .execute('insert into users (address, affiliate_code) values (?, ?) returning id', [address, `code${code}`])
      const token = await startSession(site.em(), user!.id, anonymous.visit, site.now())
      const count = quick ? 500 : 3_000
      const times = new Float64Array(count)
      let before = 0
      for (let n = -200; n < count; n++) {
        if (n === 0) before = cpuSeconds()
        const begun = performance.now()
        if (!(await readSession(site, token, anonymous.visit))) throw new Error('there is no session')
        if (n >= 0) times[n] = performance.now() - begun
      }
      const micros = ((cpuSeconds() - before) * 1e6) / count
      const worst = p99(times)
      return {
        figures: [
          { name: 'p99', value: worst, unit: 'ms' },
          { name: 'p50', value: median([...times]), unit: 'ms' },
        ],
        met: worst < 1,
        note: `${micros.toFixed(0)} µs of processor time each`,
      }
    } finally {
      await site.close()
    }
  },
}
