import { readdirSync, readFileSync } from 'node:fs'
import { venueStreams } from '@augury/wire/documents/streams'
import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { runningServer } from './running-server.ts'

const running = await runningServer()

const get = (path: string) => fetch(running.url + path)
const source = new URL('../src/', import.meta.url)

test('the service hands out the document of its routes, and every one of them is there', async () => {
  const answer = await get('/openapi.json')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const document = (await answer.json()) as { servers: { url: string }[]; paths: Record<string, object> }
  expect(document.servers).toEqual([{ url: running.settings.publicClobUrl }])
  for (const { method, path } of Object.values<Operation>(venueOperations)) {
    expect(Object.keys(document.paths[path] ?? {})).toContain(method.toLowerCase())
  }
})

test('every route of the document is served', async () => {
  const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> }
  for (const [path, methods] of Object.entries(paths)) {
    const target = running.url + path.replace(/\{\w+\}/g, '0')
    const { status, headers } = await fetch(target, { method: 'PROPFIND' })
    expect([path, status]).toEqual([path, 405])
    const allowed = headers.get('allow')!.toLowerCase().split(', ')
    expect(allowed.sort()).toEqual(['get' in methods && 'head', ...Object.keys(methods)].filter(Boolean).sort())
  }
})

test('every stream of the document opens, and no other is known', async () => {
  const document = (await (await get('/asyncapi.json')).json()) as { channels: Record<string, { address: string }> }
  const addresses = Object.values(document.channels).map(({ address }) => address)
  for (const address of addresses) {
    const socket = new WebSocket(running.url.replace('http', 'ws') + address)
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    socket.terminate()
  }
  const written = readdirSync(source).flatMap(
    (file) => readFileSync(new URL(file, source), 'utf8').match(/(?<=')\/(?:(?:compat\/)?ws\/\w+|compat\/live|trpc)(?=')/g) ?? [],
  )
  expect([...new Set(written)].sort()).toEqual(addresses.toSorted())
  expect(addresses).toEqual(Object.values(venueStreams).map(({ path }) => path))
})
