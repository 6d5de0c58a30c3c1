import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { isGlobal } from '../src/outbound/addresses.ts'
import { fetchOutside, type OutboundRequest } from '../src/outbound/fetch-outside.ts'

const ADDRESSES: [address: string, global: boolean][] = [
  ...['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '192.169.0.1', '223.255.255.255'].map((ip): [string, boolean] => [ip, true]),
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254'].map((ip): [string, boolean] => [ip, false]),
  ...['172.16.0.1', '172.31.255.255', '192.168.1.1', '192.0.2.1', '198.18.0.1', '203.0.113.9'].map((ip): [string, boolean] => [ip, false]),
  ...['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '256.1.1.1', 'example.org', ''].map((ip): [string, boolean] => [ip, false]),
  ...['2606:4700:4700::1111', '2a00:1450::1'].map((ip): [string, boolean] => [ip, true]),
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1'].map((ip): [string, boolean] => [ip, false]),
  ...['::ffff:8.8.8.8', '::ffff:127.0.0.1', '::ffff:a00:1', '::127.0.0.1', '64:ff9b::7f00:1'].map((ip): [string, boolean] => [ip, false]),
  ...['2001:db8::1', '2001::1', '2002:7f00:1::', '3fff::1', '100::1'].map((ip): [string, boolean] => [ip, false]),
]

test.each(ADDRESSES)('%s is public: %s', (address, global) => expect(isGlobal(address)).toBe(global))

async function service(listener: RequestListener): Promise<{ url: string; host: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}/prices`, host }
}

const FORBIDDEN: [what: string, address: string, hosts: string[], message: string][] = [
  ['plain http', 'http://example.org/', ['example.org'], 'example.org: only https'],
  ['another protocol', 'file:///etc/passwd', [''], ': only https'],
  ['a host that is not named', 'https://example.org/', ['example.com'], 'example.org is not one of the allowed hosts'],
  ['another port of a host', 'https://example.org:8443/', ['example.org'], 'example.org:8443 is not one of the allowed hosts'],
  ['a password in the address', 'https://me:secret@example.org/', ['example.org'], 'example.org: a name or password in the address'],
  ['this machine', 'https://127.0.0.1/', ['127.0.0.1'], '127.0.0.1 is not public'],
  ['this machine as one number', 'https://2130706433/', ['127.0.0.1'], '127.0.0.1 is not public'],
  ['this machine in hex', 'https://0x7f.1/', ['127.0.0.1'], '127.0.0.1 is not public'],
  ['this machine as IPv6', 'https://[::1]/', ['[::1]'], '[::1] is not public'],
  ['this machine as mapped IPv6', 'https://[::ffff:127.0.0.1]/', ['[::ffff:7f00:1]'], '[::ffff:7f00:1] is not public'],
  ['the metadata of a cloud', 'https://169.254.169.254/latest', ['169.254.169.254'], '169.254.169.254 is not public'],
  ['a name that leads to this machine', 'https://localhost/', ['localhost'], 'localhost is not public'],
  ['what is no address', 'not an address', [], 'not an address'],
]

test.each(FORBIDDEN)('%s is never requested', async (_, address, hosts, message) => {
  await expect(fetchOutside(address, { hosts })).rejects.toMatchObject({ name: 'OutboundError', kind: 'forbidden', message })
})

test('a response comes with its status, and no other headers are sent', async () => {
  const seen: unknown[] = []
  const { url, host } = await service((request, response) => {
    seen.push([request.method, request.headers])
    response.writeHead(418).end('{"a":1}')
  })
  const request: OutboundRequest = { method: 'POST', body: '{}', headers: { 'X-Key': 'k' } }
  expect(await fetchOutside(url, { hosts: [host], loopback: true }, request)).toEqual({ status: 418, body: '{"a":1}' })
  expect(seen).toEqual([
    ['POST', { host, accept: 'application/json', 'accept-encoding': 'identity', 'x-key': 'k', 'content-length': '2', connection: 'close' }],
  ])
})

const USELESS: [what: string, listener: RequestListener, request: OutboundRequest, kind: string][] = [
  ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1/' }).end(), {}, 'redirect'],
  ['more than was asked for', (_, response) => void response.end('x'.repeat(2000)), { maxBytes: 1000 }, 'too_large'],
  ['silence', () => {}, { timeoutMs: 50 }, 'timeout'],
  ['an answer without an end', (_, response) => void response.write('['), { timeoutMs: 50 }, 'timeout'],
  ['a closed door', (request) => void request.socket.destroy(), {}, 'network'],
]

test.each(USELESS)('%s is refused', async (_, listener, request, kind) => {
  const { url, host } = await service(listener)
  await expect(fetchOutside(url, { hosts: [host], loopback: true }, request)).rejects.toMatchObject({ name: 'OutboundError', kind })
})
