import { stdout } from 'node:process'
import { ethersDesk, fund, viemDesk } from './desk.ts'
import { findMarket, tradeTogether } from './session.ts'

/** `node src/main.ts [address of the order-book service]`: two new wallets trade with each other through the established client. */
const url = process.argv[2] ?? 'http://localhost:3001'
const say = (text: string) => void stdout.write(`${text}\n`)

const desks = await Promise.all([ethersDesk(url), viemDesk(url)])
for (const desk of desks) {
  await fund(url, desk, '100')
  say(`${desk.signer}: ${desk.address} has an API key and 100 USDC`)
}
const market = await findMarket(desks[0])
say(`market ${market.condition}`)
await tradeTogether(desks[0], desks[1], market, say)
await tradeTogether(desks[1], desks[0], market, say)
