import { stdout } from 'node:process'
import { ethersDesk, fund, newerDesk, viemDesk } from './desk.ts'
import { findMarket, tradeTogether } from './session.ts'

/** `node src/main.ts [address of the order-book service]`: three new wallets trade with each other through established clients. */
const url = process.argv[2] ?? 'http://localhost:3001'
const say = (text: string) => void stdout.write(`${text}\n`)

const [ethers, viem, newer] = await Promise.all([ethersDesk(url), viemDesk(url), newerDesk(url)])
for (const desk of [ethers, viem, newer]) {
  await fund(url, desk, '100')
  say(`${desk.name}: ${desk.address} has an API key and 100 USDC`)
}
for (const [maker, taker] of [
  [ethers, viem],
  [viem, newer],
  [newer, ethers],
] as const) {
  const market = await findMarket(maker)
  say(`\nmarket ${market.condition}`)
  await tradeTogether(maker, taker, market, say)
}
