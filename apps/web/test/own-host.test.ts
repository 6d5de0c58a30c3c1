import { expect, test } from 'vitest'
import { isOwnForm, isOwnHost } from '../src/lib/server/own-host.ts'

const sandbox = { origin: 'http://localhost:3000', mode: 'sandbox' }
const production = { origin: 'https://augury.example', mode: 'production' }

test.each([
  ['localhost:3000', sandbox, true],
  ['127.0.0.1:3000', sandbox, true],
  ['[::1]:3000', sandbox, true],
  ['localhost:3001', sandbox, false],
  ['rebound.example:3000', sandbox, false],
  ['augury.example', production, true],
  ['localhost', production, false],
  ['augury.example.evil.test', production, false],
])('%s is the address of %j: %s', (host, site, own) => {
  expect(isOwnHost(host, site)).toBe(own)
})

test.each([
  ['GET', undefined, true],
  ['HEAD', 'https://evil.example', true],
  ['POST', 'https://augury.example', true],
  ['POST', 'https://evil.example', false],
  ['POST', 'null', false],
  ['POST', undefined, false],
  ['DELETE', 'https://augury.example.evil', false],
])('%s from %s is our own: %s', (method, origin, own) => {
  const request = new Request('https://augury.example/appearance', { method, headers: origin === undefined ? {} : { origin } })
  expect(isOwnForm(request, { origin: 'https://augury.example', mode: 'production' })).toBe(own)
})
