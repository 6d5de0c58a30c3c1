import { serve } from '@hono/node-server'
import { Hono } from 'hono'

// What a framework costs: the bytes of the bare server, by a route of hono.
const prebuilt = Buffer.alloc(2048, '{"answer":"x"}')
const app = new Hono().get('/', (context) =>
  context.body(prebuilt, 200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(prebuilt.length) }),
)
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`listening on ${port}`))
