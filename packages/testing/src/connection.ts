import pg from 'pg'

/** Runs `work` on a new connection, which is closed afterwards. */
export async function withConnection<Result>(databaseUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {}) // the query in flight, or the next one, rejects
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Rows of one query, on a new connection. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
export const query = <Row = any>(databaseUrl: string, text: string, values?: unknown[]): Promise<Row[]> =>
  withConnection(databaseUrl, async (client) => (await client.query(text, values)).rows)
