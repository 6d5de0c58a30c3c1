import { parentPort, workerData } from 'node:worker_threads'
import { drop } from '@augury/domain/pool'
import { clientOrderHash } from '@augury/signing/order-id'
import { NameFilter } from '../../base/name-filter.ts'
import { connect, connection, toHex } from '../../base/postgres.ts'
import { selectByCopy } from '../../base/select-by-copy.ts'
import { stayBehind } from './stay-behind.ts'

/** What the thread of `read-names` is started with. It sends one message, when all names are read. */
export interface NamesData {
  databaseUrl: string
  stream: string
  memory: SharedArrayBuffer
}

/** Names in one query. */
const PAGE = 10_000

const { databaseUrl, stream, memory } = workerData as NamesData
stayBehind()
const filter = new NameFilter(memory)
const client = await connect(connection(databaseUrl, `names ${stream}`, { enable_seqscan: 'off', enable_bitmapscan: 'off' }))
try {
  // Page by page, not in one long transaction, which would keep the database from cleaning up. Rows are only ever added.
  for (let after = ''; ; ) {
    const page = await selectByCopy(
      client,
      `select account, client_order_id from placement
       where stream = ${client.escapeLiteral(stream)} and client_order_id is not null ${after}
       order by account, client_order_id limit ${PAGE}`,
    )
    for (const [account, name] of page) filter.add(clientOrderHash(toHex(account!), name!.toString()))
    if (page.length < PAGE) break
    const [account, name] = page.at(-1)!
    after = `and (account, client_order_id) > ('\\x${account!.toString('hex')}'::bytea, ${client.escapeLiteral(name!.toString())})`
  }
  parentPort!.postMessage('read')
} finally {
  drop(client)
}
