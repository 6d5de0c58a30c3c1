import { venueClient } from '../src/rest.ts'
import { UserStream, userStreamUrl } from '../src/user-stream.ts'

// A bot as its author would write it: it places an order, says that it is alive in one of the three ways, and is killed by the test.
const [url = '', key = '', tokenId = '', way = ''] = process.argv.slice(2)
const apiKey = JSON.parse(key)
const client = venueClient({ url, apiKey })
const say = (text: string) => void process.stdout.write(`${text}\n`)

if (way === 'cancelOnDisconnect') {
  await new Promise<void>((resolve) => {
    const onStatus = (status: string) => status === 'live' && resolve()
    new UserStream({ url: userStreamUrl(url), apiKey, client, cancelOnDisconnect: true, onEvent: () => {}, onStatus })
  })
}
let heartbeat_id = ''
const alive = async () => {
  if (way === 'cancelAfter') await client.cancelAfter({ body: { timeout_ms: 3000 } })
  if (way === 'postHeartbeat') ({ heartbeat_id } = await client.postHeartbeat({ body: { heartbeat_id, timeout_ms: 3000 } }))
}
await alive()
const placed = await client.placeOrder({ body: { tokenId, side: 'BUY', orderType: 'GTC', price: '0.1', size: '10' } })
say(`placed ${placed.orderId}`)
for (let beats = 1; ; beats++) {
  await new Promise((resolve) => setTimeout(resolve, 500))
  await alive()
  say(`alive ${beats}`)
}
