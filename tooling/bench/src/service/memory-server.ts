import { createServer } from 'node:http'
import { encodeCommand } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { headerName } from '@augury/signing/headers'
import { type SigningKey, signingKey } from '@augury/signing/hmac'
import { plainOrderId } from '@augury/signing/order-id'
import { verifyRequest } from '@augury/signing/request'
import { parseLots, parsePrice } from '@augury/units/decimal'
import { registration } from '../engine-tape.ts'

// The limit of an exchange that forgets: a plain order is read, proven, applied and answered by our own parts, and kept by nothing. Who may
// trade comes as the first argument: accounts with their secrets. The second names the token that is Yes.
const [people = '', yes = ''] = process.argv.slice(2)
const CONDITION: Hex = `0x${'c0'.repeat(32)}`
const RICH = 1_000_000_000_000
const keys = new Map<string, SigningKey>()
const exchange = new Exchange()
let at = 0
const apply = (commands: readonly Command[]) => exchange.applyRow({ at: ++at, commands: Buffer.concat(commands.map(encodeCommand)) })

apply([registration(CONDITION)])
for (const { account, secret } of JSON.parse(people) as { account: Hex; secret: string }[]) {
  keys.set(account, signingKey(secret))
  apply([{ type: 'deposit', account, amount: RICH, ref: account.padEnd(66, '0') as Hex }])
}

const [ADDRESS, TIMESTAMP, SIGNATURE] = (['address', 'timestamp', 'signature'] as const).map((name) => headerName(name).toLowerCase())

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const { [ADDRESS!]: address, [TIMESTAMP!]: timestamp, [SIGNATURE!]: given } = request.headers as Record<string, string>
    const account = address!.toLowerCase() as Hex
    const signed = { timestamp: timestamp!, method: 'POST', path: '/order', query: '', body }
    const signature = verifyRequest(keys.get(account)!, signed, given!, 'svc')
    const orderId = signature && plainOrderId(account, signature, 0)
    const isPlaced = orderId !== null && place(orderId, account, JSON.parse(body.toString()))
    const text = JSON.stringify({ success: isPlaced, orderID: orderId })
    response.writeHead(isPlaced ? 200 : 400, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': text.length }).end(text)
  })
})

function place(orderId: Hex, account: Hex, { tokenId, price, size }: Record<string, string>): boolean {
  const what = {
    condition: CONDITION,
    outcome: tokenId === yes ? 0 : 1,
    side: 'BUY',
    price: parsePrice(price!),
    lots: parseLots(size!),
  } as const
  const how = { orderType: 'GTC', budget: 0, expiration: 0, postOnly: false, selfTrade: 'none' } as const
  const [applied] = apply([{ type: 'place', orderId, account, ...what, ...how, deployment: null, annex: new Uint8Array(0) }])
  return applied!.events.some(({ type }) => type === 'placed')
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on ${typeof address === 'object' ? address?.port : address}`)
})
