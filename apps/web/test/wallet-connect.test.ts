import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { allowWalletConnect, walletConnectId } from '../src/lib/server/wallet-connect.ts'

const ID = 'abcdef0123456789abcdef0123456789'
const OTHER = '0123456789abcdef0123456789abcdef'
const POLICY = "default-src 'self'; script-src 'self' 'nonce-1'; connect-src 'self' wss://clob.test; frame-ancestors 'none'"

test.each([
  [ID, OTHER, ID],
  [ID, null, ID],
  ['', OTHER, OTHER],
  ['', null, null],
])('of the setting “%s” and the environment’s %s the project id is %s', (walletConnectId_, walletconnectProjectId, id) => {
  expect(walletConnectId({ walletconnectProjectId }, { walletConnectId: walletConnectId_ })).toBe(id)
})

test('only with a project id may pages reach the relay, and no script comes from elsewhere', () => {
  expect(allowWalletConnect(POLICY, null)).toBe(POLICY)
  expect(allowWalletConnect(POLICY, ID)).toBe(
    "default-src 'self'; script-src 'self' 'nonce-1'; connect-src 'self' wss://relay.walletconnect.org wss://clob.test; frame-ancestors 'none'; frame-src https://verify.walletconnect.org",
  )
})

const sources = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte)$/.test(name))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(import.meta.dirname, '../src', name), 'utf8') }))
const importing = (what: RegExp) => sources.filter(({ text }) => what.test(text)).map(({ name }) => name)

test('the library is reached only by the choice of WalletConnect, and loaded only then', () => {
  expect(importing(/from '@walletconnect\//)).toEqual(['lib/wallet/phone-wallet.ts'])
  expect(importing(/phone-wallet\.ts'/)).toEqual(['lib/account/WalletChoice.svelte'])
  expect(importing(/(from|import) '[^']*phone-wallet\.ts'/)).toEqual([])
  expect(importing(/import '@walletconnect|import\('@walletconnect/)).toEqual([])
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** The offer that a page reads, from a site that gives these answers in turn. */
async function offers(...answers: (() => Promise<Response>)[]) {
  let asked = 0
  vi.stubGlobal('fetch', () => answers[asked++]!())
  const { walletOffer } = await import('../src/lib/wallet/wallet-offer.ts')
  return { walletOffer, asked: () => asked }
}
const found = { chain: null, walletConnect: ID }

test('a page asks what is offered once', async () => {
  const { walletOffer, asked } = await offers(async () => Response.json(found))
  expect([await walletOffer(), await walletOffer(), asked()]).toEqual([found, found, 1])
})

test.each([
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a failure', async () => new Response('', { status: 503 })],
  ['what is no JSON', async () => new Response('<html>')],
])('after %s nothing is offered, and the next choice asks again', async (_, failing) => {
  const { walletOffer } = await offers(failing, async () => Response.json(found))
  expect(await walletOffer()).toEqual({ chain: null, walletConnect: null })
  expect(await walletOffer()).toEqual(found)
})
