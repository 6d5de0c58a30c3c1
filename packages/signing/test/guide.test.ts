import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashTypedData, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { loginTypedData } from '../src/login.ts'
import { createProxyTypedData } from '../src/proxy-wallet.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../apps/web/src/docs/api-guide.md'), 'utf8')
const cell = (row: string) => new RegExp(`^\\| ${row} \\| (.*) \\|$`, 'm').exec(guide)?.[1]
const typeOf = ([name, fields]: [string, readonly { name: string; type: string }[]]) =>
  `\`${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})\``
const domainOf = ({ name, version }: { name: string; version: string }) => `\`name\` \`${name}\`, \`version\` \`${version}\``

test('the guide says what a wallet signs for a key, and the hash of its sample', () => {
  const { domain, types, message } = loginTypedData({
    chainId: 80002,
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    host: 'exchange.example.org',
    method: 'POST',
    path: '/auth/api-key',
    timestamp: '1767225600',
    nonce: 0n,
  })
  expect(cell('domain')).toMatch(new RegExp(`^${domainOf(domain)}, \`chainId\` `))
  expect(cell('type')).toBe(typeOf(Object.entries(types)[0]!))
  expect(cell('sample')).toBe(
    Object.values(message)
      .map((value) => `\`${value}\``)
      .join(', '),
  ) // in the order of the type
  expect(Object.keys(message).toSorted()).toEqual(types.ApiKeyRequest.map(({ name }) => name).toSorted())
  expect(cell('its hash, on chain 80002')).toBe(`\`${hashTypedData({ domain, types, primaryType: 'ApiKeyRequest', message })}\``)
})

test('the guide says what an owner signs for a proxy wallet', () => {
  const { domain, types, message } = createProxyTypedData(80002)
  expect(guide.replace(/\s+/g, ' ')).toContain(`domain ${domainOf(domain)}`)
  expect(guide).toContain(typeOf(Object.entries(types)[0]!))
  expect(Object.values(message)).toEqual([zeroAddress, 0n, zeroAddress])
})
