import { compatOperations } from '@augury/rest/compat'
import type { Example } from '@augury/wire/documents/example'
import { venueExamples } from '@augury/wire/documents/examples/venue'
import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const manager = await Caller.of(running.url, wallets.operator, 'venue')
const UNKNOWN = 'nonsense'

/** The path of an operation with the parameters of its example, and the example's query. */
function targetOf({ path }: Operation, { params, query }: Example = {}) {
  const named = params as Record<string, string> | undefined
  const bare = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named?.[name] ?? 'x'))
  const asked = new URLSearchParams(Object.entries((query ?? {}) as Record<string, string>).map(([key, value]) => [key, String(value)]))
  return { bare, query: String(asked) }
}

const own = Object.entries<Operation>(venueOperations).filter(([, { auth }]) => auth !== 'wallet')

test.each(own)('the route of %s refuses a name that it does not know, and names it', async (name, operation) => {
  const { bare, query } = targetOf(operation, venueExamples[name])
  const target = `${bare}?${query}${query && '&'}${UNKNOWN}=1`
  const { method, auth } = operation
  const reply = auth === 'public' ? await send(running.url, method, target) : await manager.call(method, target)
  expect([reply.status, JSON.stringify(reply.body.details)]).toEqual([400, expect.stringContaining(UNKNOWN)])
})

const compat = Object.entries(compatOperations(venueOperations)).filter(([, { auth, method }]) => auth === 'public' && method === 'GET')

/** What is compared of two answers: their status, and a refusal's text. Figures of time and files of the moment differ. */
async function ask(target: string) {
  const reply = await fetch(`${running.url}/compat${target}`)
  const text = await reply.text()
  return [reply.status, reply.ok ? text.length > 0 : text]
}

test.each(compat)('%s ignores a name that it does not know', async (name, operation) => {
  const { bare, query } = targetOf({ ...operation, path: operation.path.slice('/compat'.length) }, venueExamples[name.split(' ')[1]!])
  expect(await ask(`${bare}?${query}&${UNKNOWN}=1`)).toEqual(await ask(`${bare}?${query}`))
})

const signed = Object.entries(compatOperations(venueOperations)).filter(([, { auth }]) => auth !== 'public' && auth !== 'wallet')

test.each(signed)('%s, signed, ignores a name that it does not know', async (name, operation) => {
  const { bare, query } = targetOf({ ...operation, path: operation.path.slice('/compat'.length) }, venueExamples[name.split(' ')[1]!])
  const own = name.includes('deleteKey') ? await Caller.of(running.url, wallets.carol, 'trade', 9n) : manager
  const target = `${bare}?${query}&${UNKNOWN}=1`
  const reply = await send(`${running.url}/compat`, operation.method, target, undefined, await own.headers(operation.method, target))
  expect(JSON.stringify(reply.body)).not.toContain(UNKNOWN)
  expect(reply.status).not.toBe(401)
})
